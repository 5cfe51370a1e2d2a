import type { FastifyRequest } from 'fastify'
import type { GuestTarget } from '../../core/shares/index.ts'
import type { PathParameters } from '../http/app-types.ts'
import { readGuestCookie } from '../http/guest-cookie.ts'

/** The target of a guest's request, and its cookie. */
export function parseGuestRequest(request: Pick<FastifyRequest, 'params' | 'headers' | 'routeOptions'>): {
  shareId: string
  cookie: string | undefined
  target: GuestTarget
} {
  const parameters = request.params as PathParameters
  const { share: shareId = '' } = parameters
  const target = request.routeOptions.config.guestTarget?.(parameters)
  if (target === undefined) throw new Error('a route for guests has no target')
  return { shareId, cookie: readGuestCookie(request.headers.cookie, shareId), target }
}
