import { join } from 'node:path'
import { migrateWithBackup, upgradeEngine } from '../core/backups/index.ts'
import { type StartingEngine } from '../core/platform/database/index.ts'
import type { Config } from '../core/platform/config/index.ts'
import { describeError } from '../core/platform/errors/index.ts'
import type { Logger, RecentLines } from '../core/platform/logging/index.ts'
import { loadSigningSecret, createServerKey } from '../core/platform/keys/index.ts'
import { createSigningServices, type Services, type SigningServices } from '../core/services.ts'
import { replacementProblem, acquireProcessLock, type ProcessLock } from '../core/platform/spawn/index.ts'
import { lowerV8WorkerPriority } from '../core/platform/threads/index.ts'
import { systemClock } from '../core/platform/time/index.ts'
import { startWorkers } from '../core/workers.ts'
import { buildApp } from './app.ts'
import { warnAboutLocalSignInRisk } from './local-sign-in-risk.ts'
import { httpErrors } from './errors.ts'
import { logSetupHints } from './setup-hints.ts'
import type { App, Lifecycle } from './http/app-types.ts'
import { listeningAddress, checkPort, startListening, httpUrl } from './start-listening.ts'
import { logMissingIsolation } from './media-isolation.ts'
import { listenToSignals } from './signals.ts'
import { shutDownDaemon, type ShutdownOutcome, type RunningDaemon } from './shutdown.ts'
import { connectSystemd, type SystemdReports } from './systemd.ts'
import { releaseStartupMemory } from './startup-memory.ts'
import { requireToken, startMetricsServer, type MetricsServer } from './metrics-port/metrics-server.ts'
import { startSocketServer, type SocketServer } from './ws/server.ts'

export type DaemonInput = {
  config: Config
  log: Logger
  /** A database engine that may already be starting. It is released when the daemon has acquired its own lease. */
  engine: StartingEngine
  /** The lines that `log` has written, for administrators. */
  recentLines: RecentLines
  /**
   * Reads the configuration as a new run would.
   * @throws AppError `invalid_config`
   */
  checkConfig: () => void
}

/**
 * Runs `phlix serve`: checks the ports, opens and migrates the database, listens, and works until a signal or a restart request ends it.
 * Resolves after an orderly stop.
 * @throws AppError when the start fails (all resources are released then), or `crashed` after an uncaught error
 */
export async function runDaemon({ checkConfig, ...input }: DaemonInput): Promise<ShutdownOutcome> {
  const { log } = input
  const signals = listenToSignals(log)
  const manager = connectSystemd({ log })
  try {
    const restart = (): void => {
      refuseInvalidRestart(checkConfig)
      signals.requestStop({ name: 'restart', isRestart: true })
    }
    const running = await start({ ...input, restart, manager })
    const reason = await signals.stopRequested
    await (reason.isRestart === true ? manager.restarting() : manager.stopping())
    return await shutDownDaemon(running, { reason, log })
  } finally {
    manager.close()
    signals.close()
  }
}

/** Refuses a restart that could not succeed: otherwise no server would be left. */
function refuseInvalidRestart(checkConfig: () => void): void {
  const problem = replacementProblem()
  if (problem !== undefined) throw httpErrors.restart_refused({ message: problem })
  try {
    checkConfig()
  } catch (error) {
    throw httpErrors.restart_refused({ message: describeError(error), cause: error })
  }
}

type Start = Omit<DaemonInput, 'checkConfig'> & { restart: () => void; manager: SystemdReports }

async function start(input: Start): Promise<RunningDaemon> {
  const lock = await lockDataDirectory(input)
  try {
    return await startLocked(input, lock)
  } catch (error) {
    lock.release()
    throw error
  }
}

/**
 * Locks the data directory: only one server may use it, because a second server would kill the encoders of the first and sweep its caches.
 * @throws AppError `server_running` with the other server; with an invalid secret nothing is changed
 */
async function lockDataDirectory({ config, engine }: Pick<Start, 'config' | 'engine'>): Promise<ProcessLock> {
  const { dataDirectory, options } = config
  let lock: ProcessLock | undefined
  try {
    // Outside production a missing secret is made, but only when the database has been opened.
    if (config.isProduction) await loadSigningSecret({ config })
    const address = httpUrl(options['server.host'], options['server.port'])
    lock = acquireProcessLock({ path: join(dataDirectory, 'serve.lock'), address })
    if (lock.holder === undefined) return lock
  } finally {
    if (lock === undefined || lock.holder !== undefined) engine.leave()
  }
  const message = `process ${lock.holder.pid} serves ${dataDirectory} at ${lock.holder.address}`
  throw httpErrors.server_running({ message, hint: 'stop it first, or choose another --data-dir' })
}

async function startLocked(
  { restart, recentLines, manager, ...input }: Start,
  lock: ProcessLock,
): Promise<RunningDaemon> {
  const { config, log } = input
  const services = await open(input)
  const lifecycle: Lifecycle = { isStopping: false, restart }
  let app: App | undefined
  let sockets: SocketServer | undefined
  let metrics: MetricsServer | undefined
  try {
    await applyMigrations(services)
    await prepareServerKey(services)
    await warnAboutLocalSignInRisk(services)
    app = await buildApp(services, { lifecycle, recentLines })
    const [host, port] = [config.options['server.host'], config.options['server.port']]
    await startListening(app, { host, port, option: 'server.port' })
    // Port 0 selects a port, and a host name an address.
    const bound = listeningAddress(app)
    lock.setAddress(httpUrl(bound.address, bound.port))
    sockets = await startSocketServer(services, { app, lifecycle })
    metrics = await startMetricsServer(services, app)
    const ports = { webSocketPort: sockets.port, ...(metrics !== undefined && { metricsPort: metrics.port }) }
    log.notice({ address: addressOf(app), ...ports }, 'the daemon listens')
    await manager.ready(`Serving ${addressOf(app)}`)
    await logSetupHints(services, listeningAddress(app))
    const workers = await startWorkers(services)
    logMissingIsolation(services)
    releaseStartupMemory()
    lowerV8WorkerPriority()
    services.portForwarding.start({ serverPort: bound.port })
    services.hubLink.start({ serverPort: bound.port })
    services.relayLink.start({ host: bound.address, port: bound.port })
    return { app, sockets, metrics, services, workers, lifecycle, lock }
  } catch (error) {
    await metrics?.close()
    await sockets?.close()
    await app?.close()
    await services.close()
    throw error
  }
}

async function open({ config, log, engine }: Pick<DaemonInput, 'config' | 'log' | 'engine'>): Promise<SigningServices> {
  try {
    await checkPorts(config)
    if (config.options['database.run_migrations']) await upgradeEngine({ config, log, clock: systemClock })
    // A second, concurrent attempt to start the engine would fail.
    await engine.settle()
    return await createSigningServices({ config, log })
  } finally {
    engine.leave()
  }
}

async function checkPorts(config: Config): Promise<void> {
  requireToken(config)
  const { options } = config
  const host = options['server.host']
  for (const option of ['server.port', 'server.websocket_port'] as const) {
    await checkPort({ host, port: options[option], option })
  }
}

async function applyMigrations({ config, connectionUri, log }: Services): Promise<void> {
  if (!config.options['database.run_migrations']) return
  const { applied, schemaVersion } = await migrateWithBackup({ config, connectionUri, log })
  if (applied.length > 0) log.notice({ applied, schemaVersion }, 'the database schema was migrated')
}

/** A server without this key still works: its public key set is empty, and the first request logs the reason. */
async function prepareServerKey(services: Services): Promise<void> {
  try {
    if (await createServerKey(services)) services.log.notice('made the server key')
  } catch (error) {
    services.log.error({ reason: describeError(error) }, 'the server key could not be created')
  }
}

/** The URL for users: a wildcard host is shown as localhost. */
function addressOf(app: App): string {
  const { address, port } = listeningAddress(app)
  return httpUrl(['0.0.0.0', '::'].includes(address) ? 'localhost' : address, port)
}
