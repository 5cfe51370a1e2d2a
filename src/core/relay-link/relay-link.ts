import type { Enrolment, EnrolmentSource } from '../hub-link/index.ts'
import { startPeriodicTask, untilAborted, type PeriodicTask } from '../platform/concurrency/index.ts'
import type { Config } from '../platform/config/index.ts'
import type { Database } from '../platform/database/index.ts'
import { describeError } from '../platform/errors/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import { createOwnServerClient, type OwnServerClient, type ConnectedPeer } from '../platform/outbound/index.ts'
import { changeSettings, readSetting } from '../platform/settings/index.ts'
import type { Clock } from '../platform/time/index.ts'
import {
  DRAIN_REASONS,
  KEEP_ALIVE,
  reconnectDelay,
  STABLE_MILLISECONDS,
  type KeepAliveTimes,
} from '../relay-protocol/index.ts'
import { relayLinkErrors } from './errors.ts'
import { createTunnelState } from './tunnel-state.ts'
import type { HubTunnel } from './open-hub-tunnel.ts'
import { openTunnelSocket } from './open-tunnel-socket.ts'
import type { RelayReport, RelayState } from './relay-state.ts'

export type RelayLinkServices = Readonly<{
  config: Config
  clock: Clock
  db: Database
  log: Logger
  enrolment: EnrolmentSource
  /** Makes the hub refuse all earlier tokens of this server. */
  renewEnrolment: () => Promise<void>
  /** From 0 (inclusive) to 1 (exclusive); default: `Math.random`. */
  randomFraction?: () => number
  times?: KeepAliveTimes
}>

/** Keeps the tunnel to the hub while this process runs. */
export type RelayLink = {
  /** Starts to connect. The tunnel is kept open, or opened again, as long as the server is paired and the setting is on. */
  start(server: { host: string; port: number }): void
  /** What is known without asking the database. */
  state(): RelayState
  report(): Promise<RelayReport>
  /** Whether a connection to this server carries requests of the hub, whose `X-Forwarded-For` contains the address of the viewer. */
  isRelayed(peer: ConnectedPeer): boolean
  /** @throws AppError `setting_locked` */
  enable(): Promise<RelayReport>
  /**
   * Closes the tunnel; running requests end.
   * @throws AppError `setting_locked`
   */
  disable(): Promise<RelayReport>
  /**
   * Measures the latency of the tunnel in milliseconds.
   * @throws AppError `relay_not_connected`
   */
  ping(): Promise<number>
  /** Takes no more requests, gives running ones 10 s, and ends. Idempotent. */
  stop(): Promise<void>
}

const STOP_MILLISECONDS = 10_000

/** The setting can be changed by a command, in another process. */
const SETTING_MILLISECONDS = 60_000

export function createRelayLink(services: RelayLinkServices): RelayLink {
  const { config, clock, enrolment, randomFraction = Math.random, times = KEEP_ALIVE } = services
  const log = services.log.child({ domain: 'relay' })
  const state = createTunnelState({ clock, log })
  const stopping = new AbortController()
  /** All connections, also those that drain. */
  const tunnels = new Set<HubTunnel>()
  /** The tunnel that takes requests, and how the hub knows this server. */
  let current: { tunnel: HubTunnel; known: Enrolment } | undefined
  /** The attempt, the tunnel or the wait that runs now. An abort lets the next one begin at once. */
  let turn = new AbortController()
  let running: Promise<void> | undefined
  let settingChecks: PeriodicTask | undefined
  let ownServer: OwnServerClient | undefined

  const isEnabled = (): Promise<boolean> => readSetting(services, 'relay.enabled')

  /** Connects and resolves when the tunnel takes no more requests. */
  async function connect(own: OwnServerClient, signal: AbortSignal): Promise<void> {
    const known = enrolment.current()
    if (known === undefined || !(await isEnabled())) {
      state.off()
      return untilAborted(new Promise(() => undefined), signal)
    }
    // Loaded here, because commands have no tunnel; and before the connection, whose first message must not be missed.
    const { openHubTunnel } = await import('./open-hub-tunnel.ts')
    const socket = await openTunnelSocket(known, { origin: config.options['relay.tunnel_url'], signal })
    const tunnel = openHubTunnel({ socket, ownServer: own, times })
    tunnels.add(tunnel)
    void tunnel.closed.then(() => tunnels.delete(tunnel))
    current = { tunnel, known }
    state.up(known.serverId)
    const openedAt = clock.monotonicMilliseconds()
    try {
      const { isDrained, reason } = await untilAborted(tunnel.ended, signal)
      const isStable = clock.monotonicMilliseconds() - openedAt >= STABLE_MILLISECONDS
      const isAnnounced = isDrained && (reason === DRAIN_REASONS.stopping || reason === DRAIN_REASONS.renewed)
      if (isStable || isAnnounced) state.forgetFailures()
      if (!isAnnounced) state.down(reason)
      // Another machine has a token of this server.
      if (isDrained && reason === DRAIN_REASONS.replaced) await services.renewEnrolment()
    } finally {
      current = undefined
      state.disconnected()
      if (signal.aborted) tunnel.close(stopping.signal.aborted ? STOP_MILLISECONDS : 0)
    }
  }

  async function run(own: OwnServerClient): Promise<void> {
    while (!stopping.signal.aborted) {
      turn = new AbortController()
      const { signal } = turn
      try {
        await connect(own, signal)
      } catch (error) {
        if (!signal.aborted) state.down(describeError(error))
      }
      const { failures } = state.read()
      if (!signal.aborted) await pause(reconnectDelay({ failures, fraction: randomFraction() }), signal)
    }
  }

  const unsubscribe = enrolment.onChange((known) => {
    // A renewed token is used for the next connection.
    const isSame = known?.serverId === current?.known.serverId && known?.hubBaseUrl === current?.known.hubBaseUrl
    if (current === undefined || !isSame) turn.abort()
  })

  async function checkSetting(): Promise<void> {
    const isWanted = await isEnabled()
    if (isWanted ? state.read().isOff : current !== undefined) turn.abort()
  }

  async function report(): Promise<RelayReport> {
    const isWanted = await isEnabled()
    return { ...readState(), isEnabled: isWanted }
  }

  function readState(): RelayState {
    return {
      ...state.read(),
      isEnrolled: enrolment.current() !== undefined,
      isConnected: current !== undefined,
      requests: [...tunnels].reduce((sum, tunnel) => sum + tunnel.requests(), 0),
      latencyMilliseconds: current?.tunnel.latencyMilliseconds() ?? null,
    }
  }

  async function change(value: boolean): Promise<RelayReport> {
    await changeSettings(services, { 'relay.enabled': value })
    turn.abort()
    return report()
  }

  async function stop(): Promise<void> {
    stopping.abort()
    unsubscribe()
    turn.abort()
    await Promise.all([running, settingChecks?.stop()])
    for (const tunnel of tunnels) tunnel.close(STOP_MILLISECONDS)
    await Promise.all([...tunnels].map(({ closed }) => closed))
    ownServer?.close()
  }

  return {
    start(server) {
      if (running !== undefined || stopping.signal.aborted) return
      ownServer = createOwnServerClient(server)
      running = run(ownServer)
      settingChecks = startPeriodicTask({
        intervalMilliseconds: SETTING_MILLISECONDS,
        work: checkSetting,
        onError: (error) => log.debug({ reason: describeError(error) }, 'the setting of the relay could not be read'),
      })
    },
    state: readState,
    report,
    isRelayed: (peer) => ownServer?.isOwn(peer) ?? false,
    enable: () => change(true),
    disable: () => change(false),
    async ping() {
      if (current === undefined) throw relayLinkErrors.relay_not_connected()
      try {
        return await current.tunnel.ping()
      } catch (error) {
        throw relayLinkErrors.relay_not_connected({ cause: error })
      }
    },
    stop,
  }
}

/** Waits; an abort ends the wait. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, milliseconds)
  await untilAborted(promise, signal).catch(() => undefined)
  clearTimeout(timer)
}
