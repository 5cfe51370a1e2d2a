import { migrate } from '../core/platform/database/index.ts'
import type { Config } from '../core/platform/config/index.ts'
import { describeError } from '../core/platform/errors/index.ts'
import type { Logger } from '../core/platform/logging/index.ts'
import { makeServerKey } from '../core/platform/keys/index.ts'
import { createSigningServices, type Services } from '../core/services.ts'
import { lowerV8Workers } from '../core/platform/threads/index.ts'
import { startWorkers } from '../core/wiring.ts'
import { buildApp } from './app.ts'
import { httpErrors } from './errors.ts'
import type { App, Lifecycle } from './http/app-types.ts'
import { boundAddress, listenOn } from './listen.ts'
import { listenToSignals } from './signals.ts'
import { stopDaemon, type Running } from './shutdown.ts'
import { releaseStartMemory } from './start-memory.ts'
import { startSocketServer, type SocketServer } from './ws/server.ts'

export type DaemonInput = {
  config: Config
  log: Logger
}

/**
 * The life of `phlix serve`: open, migrate, listen, work, until a signal ends it. Resolves after an orderly stop.
 * @throws AppError when it cannot start (nothing is left open then), or `crashed` after an error that nobody caught
 */
export async function runDaemon({ config, log }: DaemonInput): Promise<void> {
  const signals = listenToSignals(log)
  try {
    const running = await start({ config, log })
    const reason = await signals.stopRequested
    log.notice({ reason: reason.name }, 'the daemon stops')
    await stopDaemon(running)
    log.notice('the daemon has stopped')
    if (reason.failure !== undefined) throw httpErrors.crashed({ cause: reason.failure })
  } finally {
    signals.close()
  }
}

async function start({ config, log }: DaemonInput): Promise<Running> {
  const services = await createSigningServices({ config, log })
  const lifecycle: Lifecycle = { isStopping: false }
  let app: App | undefined
  let sockets: SocketServer | undefined
  try {
    await applyMigrations(services)
    await prepareServerKey(services)
    app = await buildApp(services, { lifecycle })
    const [host, port] = [config.options['server.host'], config.options['server.port']]
    await listenOn(app, { host, port, option: 'server.port' })
    sockets = await startSocketServer(services, { app, lifecycle })
    log.notice({ address: addressOf(app), webSocketPort: sockets.port }, 'the daemon listens')
    const workers = await startWorkers(services)
    releaseStartMemory()
    lowerV8Workers()
    return { app, sockets, services, workers, lifecycle }
  } catch (error) {
    await sockets?.close()
    await app?.close()
    await services.close()
    throw error
  }
}

async function applyMigrations({ config, connectionUri, log }: Services): Promise<void> {
  if (!config.options['database.run_migrations']) return
  const { applied, schemaVersion } = await migrate({ connectionUri, log })
  if (applied.length > 0) log.notice({ applied, schemaVersion }, 'the database schema was brought up to date')
}

/** A server without this key still serves: its public key set is empty then (document 1), and the log says so at the first request. */
async function prepareServerKey(services: Services): Promise<void> {
  try {
    if (await makeServerKey(services)) services.log.notice('made the server key')
  } catch (error) {
    services.log.error({ reason: describeError(error) }, 'the server key could not be made')
  }
}

/** The address that people can type: a wildcard host is reached as localhost. */
function addressOf(app: App): string {
  const { address, port } = boundAddress(app)
  const host = ['0.0.0.0', '::'].includes(address) ? 'localhost' : address
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
