import type { FastifyRequest } from 'fastify'
import type { HubCaller, HubServices } from '../../core/hub/index.ts'
import type { Relay } from '../../core/hub-relay/index.ts'
import type { RecentLines } from '../../core/platform/logging/index.ts'
import { httpErrors } from '../errors.ts'
import type { App, Lifecycle } from '../http/app-types.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in user of a hub; null on public routes and outside of hubs. */
    hubUser: HubCaller | null
  }
}

/** What each route plugin of a hub receives. */
export type HubContext = {
  services: HubServices
  relay: Relay
  recentLines: RecentLines
  lifecycle: Lifecycle
  /** The port of tunnels, which is sent to home servers. */
  tunnelPort: number
}

/** The routes of one resource of a hub. */
export type HubRoutePlugin = (app: App, context: HubContext) => void

/**
 * The signed-in user of a request.
 * @throws AppError `auth.required`
 */
export function signedInUser({ hubUser }: Pick<FastifyRequest, 'hubUser'>): HubCaller {
  if (hubUser === null) throw httpErrors.auth_required()
  return hubUser
}

/** The origin of the hub as the caller knows it: `hub.public_url`, else the host of the request. */
export function resolveHubOrigin({ config }: Pick<HubServices, 'config'>, request: FastifyRequest): string {
  const configured = config.options['hub.public_url']
  return configured === undefined ? `http://${request.host}` : new URL(configured).origin
}
