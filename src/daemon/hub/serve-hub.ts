import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openHubServices, trimHubAudit, type HubServices } from '../../core/hub/index.ts'
import { startPeriodicTask } from '../../core/platform/concurrency/index.ts'
import type { Config } from '../../core/platform/config/index.ts'
import { describeError } from '../../core/platform/errors/index.ts'
import type { Logger, RecentLines } from '../../core/platform/logging/index.ts'
import { acquireProcessLock, type ProcessLock } from '../../core/platform/spawn/index.ts'
import { httpErrors } from '../errors.ts'
import type { Lifecycle } from '../http/app-types.ts'
import { listeningAddress, checkPort, startListening, httpUrl } from '../start-listening.ts'
import { listenToSignals } from '../signals.ts'
import { connectSystemd } from '../systemd.ts'
import { buildHubApp } from './hub-app.ts'
import { openRelay } from './relay/open-relay.ts'
import { startPeerListener } from './relay/peer-listener.ts'
import { startTunnelListener } from './relay/tunnel-listener.ts'

export type HubDaemonInput = {
  /** The configuration of the hub; see `hubConfig`. */
  config: Config
  log: Logger
  recentLines: RecentLines
  /** Work of the command outside the domain of the hub, done every hour from the moment when the hub listens. */
  hourlyWork?: () => Promise<void>
}

const HOUR_MILLISECONDS = 3_600_000
const DRAIN_MILLISECONDS = 10_000

/**
 * Runs `phlix hub:serve`: opens and migrates the database of the hub, listens, and works until a signal. Resolves after an orderly stop.
 * @throws AppError when the start fails (all resources are released then), or `crashed` after an uncaught error
 */
export async function runHub(input: HubDaemonInput): Promise<void> {
  const { log } = input
  const signals = listenToSignals(log)
  const manager = connectSystemd({ log })
  try {
    await using running = await startHub(input)
    await manager.ready(`Serving the hub at ${running.address}`)
    const reason = await signals.stopRequested
    log.notice({ reason: reason.name }, 'the hub stops')
    await manager.stopping()
    await running.stop()
    log.notice('the hub has stopped')
    if (reason.failure !== undefined) throw httpErrors.crashed({ cause: reason.failure })
  } finally {
    manager.close()
    signals.close()
  }
}

/** A hub that listens. */
export type RunningHub = {
  /** `http://HOST:PORT` */
  address: string
  /** The port of tunnels. */
  tunnelPort: number
  services: HubServices
  /** Ends requests in progress within ten seconds, then closes everything. Idempotent. */
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts a hub. Parts that were open are closed if the start fails.
 * @throws AppError for example `server_running`, `address_in_use`, `database_unavailable`
 */
export async function startHub({
  config,
  log,
  recentLines,
  hourlyWork = async () => {},
}: HubDaemonInput): Promise<RunningHub> {
  await using opened = new AsyncDisposableStack()
  const { 'hub.host': host, 'hub.port': port } = config.options
  const lock = await lockDirectory(config)
  opened.defer(() => lock.release())
  await checkPort({ host, port, option: 'hub.port' })
  await checkPort({ host, port: config.options['hub.tunnel_port'], option: 'hub.tunnel_port' })
  const { 'hub.peer_host': peerHost, 'hub.peer_port': peerPort } = config.options
  await checkPort({ host: peerHost, port: peerPort, option: 'hub.peer_port' })
  const services = await openHubServices({ config, log })
  opened.defer(() => services.close())
  const lifecycle: Lifecycle = { isStopping: false }
  const trimming = startPeriodicTask({
    intervalMilliseconds: HOUR_MILLISECONDS,
    startsAtOnce: true,
    work: () => trimHubAudit(services),
    onError: (error) => log.warning({ reason: describeError(error) }, 'shortening the audit log failed'),
  })
  opened.defer(() => trimming.stop())
  const relay = openRelay(services)
  opened.defer(() => relay.close(0))
  // Before the first tunnel is stored with its address.
  const peers = await startPeerListener({ services, relay })
  opened.defer(() => peers.close(0))
  const tunnels = await startTunnelListener({ services, relay, lifecycle })
  const tunnelPort = tunnels.port
  opened.defer(() => tunnels.close())
  const app = await buildHubApp(services, { relay, lifecycle, recentLines, tunnelPort })
  opened.defer(async () => {
    lifecycle.isStopping = true
    const timer = setTimeout(() => app.server.closeAllConnections(), DRAIN_MILLISECONDS)
    // Home servers connect elsewhere while requests in progress still use their tunnels.
    await Promise.all([app.close(), relay.close(DRAIN_MILLISECONDS), tunnels.close(), peers.close(DRAIN_MILLISECONDS)])
    clearTimeout(timer)
  })
  await startListening(app, { host, port, option: 'hub.port' })
  const bound = listeningAddress(app)
  const address = httpUrl(['0.0.0.0', '::'].includes(bound.address) ? 'localhost' : bound.address, bound.port)
  lock.setAddress(address)
  const hourly = startPeriodicTask({
    intervalMilliseconds: HOUR_MILLISECONDS,
    startsAtOnce: true,
    work: hourlyWork,
    onError: (error) => log.warning({ reason: describeError(error) }, 'the hourly work failed'),
  })
  opened.defer(() => hourly.stop())
  log.notice({ address, tunnelPort }, 'the hub listens')
  if (config.options['hub.public_url'] === undefined) {
    log.warning('hub.public_url is not set: a hub that the Internet reaches needs it')
  }
  const owned = opened.move()
  let stopping: Promise<void> | undefined
  const stop = (): Promise<void> => (stopping ??= owned.disposeAsync())
  return { address, tunnelPort, services, stop, [Symbol.asyncDispose]: stop }
}

/** @throws AppError `server_running` */
async function lockDirectory(config: Config): Promise<ProcessLock> {
  const { dataDirectory, options } = config
  await mkdir(dataDirectory, { recursive: true, mode: 0o711 })
  const address = httpUrl(options['hub.host'], options['hub.port'])
  const lock = acquireProcessLock({ path: join(dataDirectory, 'serve.lock'), address })
  if (lock.holder === undefined) return lock
  const message = `process ${lock.holder.pid} serves the hub of ${dataDirectory} at ${lock.holder.address}`
  throw httpErrors.server_running({ message, hint: 'stop it first, or choose another --data-dir' })
}
