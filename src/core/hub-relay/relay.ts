import type { Writable } from 'node:stream'
import type { WebSocket } from 'ws'
import type { EnrolledServer, RelayDirectory, StoredTunnel } from '../hub/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { Clock } from '../platform/time/index.ts'
import type { ReplyHead } from '../relay-protocol/index.ts'
import { checkServerAccess } from './admission/check-access.ts'
import { checkViewerRequest, type CheckedViewerRequest, type ViewerRequest } from './admission/check-request.ts'
import { createRunningRequests } from './admission/running-requests.ts'
import { relayErrors } from './errors.ts'
import { exchangeRequest } from './exchange/exchange-request.ts'
import { STALL_MILLISECONDS } from './exchange/stream-reply.ts'
import { createBandwidthLimiters } from './limits/bandwidth-limiter.ts'
import { createViewerStreamSlots } from './limits/stream-slots.ts'
import { passRequest, type PeerRequest } from './peers/pass-request.ts'
import type { PeerSessions } from './peers/peer-sessions.ts'
import { createRoutes } from './routes.ts'
import { createServerTokens } from './server-tokens.ts'
import { createTunnels, TUNNEL_TIMES, type TunnelTimes } from './tunnels/server-tunnels.ts'

/** A request that has passed all checks and holds one of the streams. */
export type AdmittedRequest = CheckedViewerRequest & {
  userId: string
  serverId: string
  /** The tunnel of the server when the request was admitted. */
  stored: StoredTunnel | null
  /** Aborts when the user loses the access to the server. */
  signal: AbortSignal
  /** Gives the stream back. `send` calls it; only the first call has an effect. */
  release: () => void
}

/** The connection of a viewer. */
export type Viewer = {
  /** Aborts when the viewer has left. */
  signal: AbortSignal
  /** Sends the head of the reply; the body follows in the result. */
  begin(head: ReplyHead): Writable
}

/** Counts for the operator. */
export type RelayCounts = { tunnels: number; streams: number; sentBytes: number }

/** Forwards requests of viewers to home servers through their tunnels. */
export type Relay = {
  /** An authenticated home server has connected. Never rejects. */
  accept(socket: WebSocket, opening: EnrolledServer & { remoteAddress: string }): Promise<void>
  /**
   * Checks a request, in this order: server, ownership, online, tunnel, path, allowlist, headers, number of streams.
   * @param leaving aborts when the viewer has left
   * @throws AppError `server.not_found`, `server.not_owned`, `server.offline`, `server.relay_unavailable`, `proxy.scope_denied`,
   * `proxy.malformed_headers`, `stream.limit`; the signal's reason
   */
  admit(request: ViewerRequest, leaving: AbortSignal): Promise<AdmittedRequest>
  /**
   * Sends an admitted request and passes the reply on. Resolves when the exchange has ended.
   * @throws AppError `gateway.timeout`, `gateway.bad_reply`, `server.relay_unavailable` before the head was sent; the reason of the viewer's
   * signal
   */
  send(admitted: AdmittedRequest, input: { body: Buffer | undefined; viewer: Viewer }): Promise<void>
  /** Passes a request of another process of the hub on to a home server whose tunnel this process holds. Never rejects. */
  pass(request: PeerRequest): Promise<void>
  counts(): RelayCounts
  /** Sends all home servers away and ends what still runs after the limit. */
  close(limitMilliseconds?: number): Promise<void>
}

export type RelayInput = {
  directory: RelayDirectory
  clock: Clock
  log: Logger
  /** Unique for each start of the process. */
  processId: string
  processAddress: string
  /** The other processes of the hub; undefined if there are none. */
  peers?: PeerSessions
  /** Simultaneous requests of one user. */
  streamsPerUser: number
  /** 0: no limit. */
  bytesPerSecondPerUser: number
  times?: Partial<RelayTimes>
}

export type RelayTimes = TunnelTimes & { stallMilliseconds: number }

const STOP_MILLISECONDS = 10_000

export function createRelay(input: RelayInput): Relay {
  const { directory, clock, streamsPerUser, bytesPerSecondPerUser } = input
  const log = input.log.child({ domain: 'relay' })
  const times: RelayTimes = { ...TUNNEL_TIMES, stallMilliseconds: STALL_MILLISECONDS, ...input.times }
  const tunnels = createTunnels({ ...input, log, times })
  const routes = createRoutes({ ...input, peers: input.peers, tunnels })
  const slots = createViewerStreamSlots({ perUser: streamsPerUser })
  const bandwidths = createBandwidthLimiters({ bytesPerSecond: bytesPerSecondPerUser, clock })
  const tokens = createServerTokens({ directory, clock })
  const running = createRunningRequests({ directory })
  let sentBytes = 0

  const unsubscribe = directory.onEvent((event) => {
    tokens.discard(event)
    running.onEvent(event)
  })

  return {
    accept: (socket, opening) => tunnels.accept(socket, opening),
    async admit({ userId, serverId, ...request }, leaving) {
      // Before the access is read, so that no loss of it is missed.
      const { signal, end } = running.start({ userId, serverId })
      let giveBack = (): void => undefined
      const release = (): void => {
        giveBack()
        end()
      }
      try {
        const stored = await checkServerAccess(directory, { userId, serverId })
        if (!routes.exists({ serverId, stored }))
          throw relayErrors.relay_unavailable({ message: 'The server has no tunnel to the hub now.' })
        const checked = checkViewerRequest(request)
        giveBack = await slots.take({ userId, serverId }, AbortSignal.any([signal, leaving]))
        return { userId, serverId, stored, ...checked, signal, release }
      } catch (error) {
        release()
        throw error
      }
    },
    async send(admitted, { body, viewer }) {
      const { userId, serverId, stored, allowed, request } = admitted
      try {
        await exchangeRequest({
          allowed,
          request,
          body,
          token: () => tokens.of({ userId, serverId }),
          refuseToken: (token) => tokens.refuse({ userId, serverId, token }),
          findRoute: routes.of({ userId, serverId, stored }),
          begin: (head) => viewer.begin(head),
          signal: AbortSignal.any([admitted.signal, viewer.signal]),
          stallMilliseconds: times.stallMilliseconds,
          bandwidth: bandwidths.of(userId),
          onBytes: (count) => (sentBytes += count),
        })
      } finally {
        admitted.release()
      }
    },
    pass: (request) =>
      passRequest(request, {
        findSession: ({ serverId, tunnelId }) => tunnels.find(serverId, tunnelId)?.session,
        takeSlot: (target, signal) => slots.take(target, signal),
      }),
    counts: () => ({ tunnels: tunnels.count(), streams: slots.running(), sentBytes }),
    async close(limitMilliseconds = STOP_MILLISECONDS) {
      input.peers?.close(limitMilliseconds)
      await tunnels.close(limitMilliseconds)
      unsubscribe()
    },
  }
}
