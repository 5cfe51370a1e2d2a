import type { FastifyRequest } from 'fastify'
import type { GuestTarget } from '../../core/shares/index.ts'
import type { PathParameters } from '../http/app-types.ts'
import { readPass } from '../http/guest-cookie.ts'

/** What a request of a guest asks for, and its pass. */
export function guestAsking(request: Pick<FastifyRequest, 'params' | 'headers' | 'routeOptions'>): {
  shareId: string
  pass: string | undefined
  target: GuestTarget
} {
  const parameters = request.params as PathParameters
  const { share: shareId = '' } = parameters
  const target = request.routeOptions.config.guestTarget?.(parameters)
  if (target === undefined) throw new Error('a route for guests has no target')
  return { shareId, pass: readPass(request.headers.cookie, shareId), target }
}
