import { chmodSync, chownSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { AppError, describeError } from '../../errors/index.ts'
import type { RunningProgram } from '../../spawn/index.ts'
import { enginePaths, type EnginePaths } from './engine-paths.ts'
import { READY_LINE, takeLease } from './keeper-socket.ts'
import { prepareCluster, type PreparedEngine } from './prepare-cluster.ts'
import { startServer, stopForeignServer, untilServerReady } from './server-process.ts'

/**
 * The keeper: a small process that owns the database server of one data directory and stops it when nobody needs it any more.
 * `node keeper.js DATA_DIRECTORY durable|fast`; prints one line of JSON when the server is ready or cannot be had.
 * docs/decisions/0003 tells why it exists. Imports stay light: this process lives beside every daemon.
 */

const FIRST_LEASE_MILLISECONDS = 15_000
const LINGER_MILLISECONDS = 1000
const FAST_STOP_MILLISECONDS = 20_000
const IMMEDIATE_STOP_MILLISECONDS = 5000
/** A killed server's backends may hold its lock for a while; other causes (a full disk) may take longer to go away (M7, M9). */
const FIRST_START_LIMIT_MILLISECONDS = 60_000
/** How long another keeper may take to answer that its server is ready. */
const OTHER_KEEPER_MILLISECONDS = 30_000
const LONGEST_PAUSE_MILLISECONDS = 2000

type Keeper = {
  paths: EnginePaths
  prepared: PreparedEngine
  isDurable: boolean
  leases: Set<Socket>
  server: RunningProgram | undefined
  isReady: boolean
  isStopping: boolean
}

async function main([dataDirectory = '', durability = 'durable']: string[]): Promise<void> {
  const paths = enginePaths(dataDirectory)
  const prepared = await prepareCluster(paths)
  const keeper: Keeper = {
    paths,
    prepared,
    isDurable: durability !== 'fast',
    leases: new Set(),
    server: undefined,
    isReady: false,
    isStopping: false,
  }
  const deadline = performance.now() + FIRST_START_LIMIT_MILLISECONDS
  if (!(await bringUp(keeper, () => performance.now() < deadline))) return
  const listener = await listen(keeper)
  report({ ready: true })
  let idle = setTimeout(() => void stop(keeper, listener), FIRST_LEASE_MILLISECONDS)
  listener.on('connection', (lease) => {
    clearTimeout(idle)
    lease.once('close', () => {
      clearTimeout(idle)
      if (keeper.leases.size === 0) idle = setTimeout(() => void stop(keeper, listener), LINGER_MILLISECONDS)
    })
  })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    // A service manager signals all processes of a unit at once, and a daemon that still holds a lease needs the database to stop well.
    process.on(signal, () => void (keeper.leases.size === 0 && stop(keeper, listener)))
  }
  await keepUp(keeper)
}

/** Starts the server until it is ready. False: another keeper serves this directory, or it is not wanted any more. */
async function bringUp(keeper: Keeper, isWanted: () => boolean): Promise<boolean> {
  for (let pause = 50; !keeper.isStopping; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MILLISECONDS)) {
    const server = startServer(keeper)
    keeper.server = server
    if ((await untilServerReady(server, keeper.paths)) === 'ready') {
      keeper.isReady = true
      for (const lease of keeper.leases) lease.write(READY_LINE)
      return true
    }
    const other = keeper.leases.size === 0 ? await takeLease(keeper.paths, OTHER_KEEPER_MILLISECONDS) : undefined
    if (other !== undefined) {
      other.destroy()
      report({ ready: true })
      return false
    }
    if (!isWanted()) {
      const message = `the server does not start; ${keeper.paths.serverLog} says why`
      report({ ready: false, code: 'engine_failed', message })
      return false
    }
    stopForeignServer(keeper.paths)
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
  return false
}

/** Restarts the server whenever it dies, for as long as somebody needs it. */
async function keepUp(keeper: Keeper): Promise<void> {
  while (!keeper.isStopping) {
    await keeper.server?.ended
    keeper.isReady = false
    if (!keeper.isStopping) await bringUp(keeper, () => true)
  }
}

/** Only the keeper whose server runs gets here, so a socket file that is already there is a dead keeper's. */
function listen(keeper: Keeper): Promise<Server> {
  const { keeperSocket } = keeper.paths
  rmSync(keeperSocket, { force: true })
  const listener = createServer((lease) => {
    keeper.leases.add(lease)
    lease.on('error', () => lease.destroy())
    lease.once('close', () => keeper.leases.delete(lease))
    lease.resume()
    if (keeper.isReady) lease.write(READY_LINE)
  })
  return new Promise((resolve, reject) => {
    listener.once('error', reject)
    listener.listen(keeperSocket, () => {
      chmodSync(keeperSocket, 0o600)
      const { account } = keeper.prepared
      if (account !== undefined) chownSync(keeperSocket, account.uid, account.gid)
      resolve(listener)
    })
  })
}

/** First nobody can come in any more (closing removes the socket file), then the server stops, then the keeper ends. */
async function stop(keeper: Keeper, listener: Server): Promise<void> {
  if (keeper.isStopping) return
  keeper.isStopping = true
  listener.close()
  for (const lease of keeper.leases) lease.destroy()
  const { server } = keeper
  if (server !== undefined) {
    server.kill('SIGINT')
    const immediate = setTimeout(() => server.kill('SIGQUIT'), FAST_STOP_MILLISECONDS)
    const last = setTimeout(() => server.kill('SIGKILL'), FAST_STOP_MILLISECONDS + IMMEDIATE_STOP_MILLISECONDS)
    await server.ended
    clearTimeout(immediate)
    clearTimeout(last)
  }
  process.exit(0)
}

type Report = { ready: true } | { ready: false; code: string; message: string; hint?: string | undefined }

/** One line on stdout, for the process that started this one; it may be gone. */
function report(line: Report): void {
  process.stdout.on('error', () => {})
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  const known = error instanceof AppError ? error : undefined
  report({ ready: false, code: known?.code ?? 'engine_failed', message: describeError(error), hint: known?.hint })
  process.exitCode = 1
}
