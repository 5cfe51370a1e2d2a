import type { RelayDirectory, StoredTunnel } from '../hub/index.ts'
import type { Route } from './exchange/exchange-request.ts'
import { formatPeerTarget } from './peers/peer-protocol.ts'
import type { PeerSessions } from './peers/peer-sessions.ts'
import type { Tunnels } from './tunnels/server-tunnels.ts'

/** Finds the way to a home server: a tunnel of this process, or the process that holds it. */
export type Routes = {
  /** Whether there is a way, without opening it. */
  exists(input: { serverId: string; stored: StoredTunnel | null }): boolean
  /**
   * Returns what finds the way for each attempt of one request. The first one uses what was read at its admission; then the tunnel may have
   * moved to another process.
   */
  of(input: { userId: string; serverId: string; stored: StoredTunnel | null }): () => Promise<Route | undefined>
}

type RoutesInput = {
  directory: Pick<RelayDirectory, 'findServer'>
  tunnels: Pick<Tunnels, 'find'>
  /** Undefined for a hub of one process. */
  peers: PeerSessions | undefined
  processId: string
}

export function createRoutes({ directory, tunnels, peers, processId }: RoutesInput): Routes {
  const isElsewhere = (stored: StoredTunnel | null): stored is StoredTunnel =>
    stored !== null && stored.processId !== processId && stored.processAddress.startsWith('https://')

  return {
    exists: ({ serverId, stored }) =>
      tunnels.find(serverId) !== undefined || (peers !== undefined && isElsewhere(stored)),
    of({ userId, serverId, stored }) {
      let known = stored
      const read = async (): Promise<StoredTunnel | null> => {
        const access = await directory.findServer({ userId, serverId })
        return access.state === 'online' ? access.tunnel : null
      }
      return async () => {
        const own = tunnels.find(serverId)
        if (own !== undefined) return { session: own.session, fields: {} }
        const tunnel = known ?? (await read())
        known = null
        const session = peers !== undefined && isElsewhere(tunnel) ? peers.to(tunnel) : undefined
        if (session === undefined || tunnel === null) return undefined
        return { session, fields: formatPeerTarget({ serverId, userId, tunnelId: tunnel.tunnelId }) }
      }
    },
  }
}
