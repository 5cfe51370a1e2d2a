import type { WebSocket } from 'ws'
import type { DirectoryEvent, EnrolledServer, RelayDirectory } from '../../hub/index.ts'
import { CLOCK_SKEW_SECONDS } from '../../hub-protocol/index.ts'
import { Semaphore, startPeriodicTask } from '../../platform/concurrency/index.ts'
import { describeError } from '../../platform/errors/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { DRAIN_REASONS, KEEP_ALIVE, TUNNEL_CLOSE_CODES, type KeepAliveTimes } from '../../relay-protocol/index.ts'
import { openServerTunnel, type ServerTunnel } from './server-tunnel.ts'

/** Requests of a replaced tunnel may finish within this time. */
const DRAIN_MILLISECONDS = 10_000

export type TunnelTimes = KeepAliveTimes & {
  /** The interval at which the lease of the tunnels is renewed. The directory forgets those of a process that is silent for a minute. */
  aliveMilliseconds: number
}

export const TUNNEL_TIMES: TunnelTimes = { ...KEEP_ALIVE, aliveMilliseconds: 20_000 }

/** The tunnels that this process holds, at most one per home server that takes new requests. */
export type Tunnels = {
  /**
   * Opens a tunnel in an upgraded WebSocket. The previous tunnel of the server gets no new requests and closes after its last reply. Never
   * rejects: without a database the socket is closed with 1013.
   */
  accept(socket: WebSocket, opening: EnrolledServer & { remoteAddress: string }): Promise<void>
  /**
   * The open tunnel of a server, whose token is still valid.
   * @param tunnelId only this one
   */
  find(serverId: string, tunnelId?: string): ServerTunnel | undefined
  /** All connections, also those that drain. */
  count(): number
  /** Sends all home servers away; their requests may finish within the limit. Resolves when all are closed. */
  close(limitMilliseconds: number): Promise<void>
}

type TunnelsInput = {
  directory: RelayDirectory
  clock: Clock
  log: Logger
  processId: string
  processAddress: string
  times: TunnelTimes
}

type Held = { tunnelId: string; tunnel: ServerTunnel }

export function createTunnels(input: TunnelsInput): Tunnels {
  const { directory, clock, log, processId, processAddress, times } = input
  const current = new Map<string, Held>()
  /** With the tokens that have opened them. */
  const connections = new Map<ServerTunnel, Pick<EnrolledServer, 'generation' | 'expiresAt'>>()
  /** Tunnels are stored one after the other, so that the directory ends with the same tunnel as this process. */
  const turns = new Semaphore({ permits: 1 })
  /** Tunnels that another process had replaced before their own id was known here. */
  const replacedEarly = new Set<string>()
  /** Ends that are being stored. */
  const endings = new Set<Promise<void>>()
  let isClosing = false

  const unsubscribe = directory.onEvent((event) => onEvent(event))
  const alive = startPeriodicTask({
    intervalMilliseconds: times.aliveMilliseconds,
    work: async () => {
      for (const tunnel of connections.keys()) drainIfExpired(tunnel)
      const before = [...current.values()]
      const stored = new Set(await directory.tunnelsAlive({ processId }))
      for (const held of before) if (!stored.has(held.tunnelId)) drop(held)
    },
    onError: (error) => log.warning({ reason: describeError(error) }, 'the tunnels could not be marked as alive'),
  })

  function onEvent(event: DirectoryEvent): void {
    if (event.kind === 'access_revoked') return
    // Their home servers connect again, and are authenticated again.
    if (event.kind === 'events_missed') return drainAll(DRAIN_MILLISECONDS)
    if (event.kind === 'server_renewed') return drainOlder(event)
    const held = current.get(event.serverId)
    if (event.kind === 'server_revoked') {
      const { revoked } = TUNNEL_CLOSE_CODES
      for (const tunnel of connections.keys()) if (tunnel.serverId === event.serverId) tunnel.end(revoked, 'revoked')
      current.delete(event.serverId)
    } else if (held?.tunnelId === event.tunnelId) {
      current.delete(event.serverId)
      held.tunnel.drain(DRAIN_REASONS.replaced, DRAIN_MILLISECONDS)
    } else if (turns.isFull) replacedEarly.add(event.tunnelId)
  }

  /** This process was silent for too long: the directory has forgotten the tunnel, or knows a newer one. The server connects again. */
  function drop({ tunnelId, tunnel }: Held): void {
    if (current.get(tunnel.serverId)?.tunnelId === tunnelId) current.delete(tunnel.serverId)
    tunnel.drain(DRAIN_REASONS.stopping, DRAIN_MILLISECONDS)
  }

  function drainAll(limitMilliseconds: number): void {
    current.clear()
    for (const tunnel of connections.keys()) tunnel.drain(DRAIN_REASONS.stopping, limitMilliseconds)
  }

  /** A renewal ends what older tokens have opened, also a tunnel whose token was stolen. */
  function drainOlder({ serverId, generation }: { serverId: string; generation: number }): void {
    for (const [tunnel, token] of connections) {
      const isOlder = tunnel.serverId === serverId && token.generation < generation
      if (isOlder) tunnel.drain(DRAIN_REASONS.renewed, DRAIN_MILLISECONDS)
    }
  }

  /** A home server renews its token long before. */
  function drainIfExpired(tunnel: ServerTunnel): void {
    const expiresAt = connections.get(tunnel)?.expiresAt
    if (expiresAt === undefined || clock.now().getTime() < expiresAt.getTime() + CLOCK_SKEW_SECONDS * 1000) return
    tunnel.drain(DRAIN_REASONS.renewed, DRAIN_MILLISECONDS)
  }

  function hold(held: Held): void {
    const { serverId } = held.tunnel
    const before = current.get(serverId)
    if (replacedEarly.has(held.tunnelId)) return held.tunnel.drain(DRAIN_REASONS.replaced, DRAIN_MILLISECONDS)
    current.set(serverId, held)
    before?.tunnel.drain(DRAIN_REASONS.replaced, DRAIN_MILLISECONDS)
  }

  async function forget({ tunnelId, tunnel }: Held): Promise<void> {
    const { serverId } = tunnel
    if (current.get(serverId)?.tunnelId === tunnelId) current.delete(serverId)
    log.info({ serverId, tunnelId }, 'a tunnel was closed')
    await directory.tunnelClosed({ serverId, tunnelId }).catch((error: unknown) => {
      // The directory forgets it by itself.
      log.warning({ serverId, tunnelId, reason: describeError(error) }, 'the end of a tunnel could not be stored')
    })
  }

  return {
    async accept(socket, { serverId, generation, expiresAt, remoteAddress }) {
      const tunnel = openServerTunnel(socket, { serverId, times })
      connections.set(tunnel, { generation, expiresAt })
      void tunnel.closed.then(() => connections.delete(tunnel))
      try {
        await turns.run(async () => {
          if (isClosing || !tunnel.isOpen()) return tunnel.end(TUNNEL_CLOSE_CODES.tryAgainLater, 'the hub stops')
          const opening = { serverId, generation, processId, processAddress, remoteAddress }
          const held = { tunnel, ...(await directory.tunnelOpened(opening)) }
          log.info({ serverId, tunnelId: held.tunnelId, remoteAddress }, 'a tunnel was opened')
          hold(held)
          replacedEarly.clear()
          void tunnel.closed.then(() => {
            const ending = forget(held).finally(() => endings.delete(ending))
            endings.add(ending)
          })
        })
      } catch (error) {
        log.warning({ serverId, reason: describeError(error) }, 'a tunnel could not be stored')
        tunnel.end(TUNNEL_CLOSE_CODES.tryAgainLater, 'try again later')
      }
    },
    find(serverId, tunnelId) {
      const held = current.get(serverId)
      const tunnel = tunnelId === undefined || held?.tunnelId === tunnelId ? held?.tunnel : undefined
      if (tunnel !== undefined) drainIfExpired(tunnel)
      return tunnel?.isOpen() === true ? tunnel : undefined
    },
    count: () => connections.size,
    async close(limitMilliseconds) {
      isClosing = true
      unsubscribe()
      drainAll(limitMilliseconds)
      await Promise.all([...connections.keys()].map(({ closed }) => closed))
      // A tunnel may be being stored.
      await turns.run(async () => undefined)
      await Promise.all([...endings, alive.stop()])
    },
  }
}
