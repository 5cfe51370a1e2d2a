import type { ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../src/core/platform/config/index.ts'
import { openDatabase, type Database } from '../src/core/platform/database/index.ts'
import { createLogger } from '../src/core/platform/logging/index.ts'
import { PASSWORD } from './clients.ts'
import { PHLIX, startServer, stop, timed, untilStopped } from './start.ts'

type Account = { isAdmin: boolean }

/** Migrates a new data directory and creates the account `ann` with `PASSWORD`. */
export function setUpData(dataDirectory: string, { isAdmin }: Account): void {
  timed(PHLIX, ['migrate', '--data-dir', dataDirectory])
  createAccount(dataDirectory, 'ann', { isAdmin })
}

/** Creates an account with `PASSWORD`. */
export function createAccount(
  dataDirectory: string,
  username: string,
  { isAdmin }: Account = { isAdmin: false },
): void {
  const create = ['user:create', username, '--email', `${username}@example.test`, ...(isAdmin ? ['--admin'] : [])]
  timed(PHLIX, [...create, '--password-stdin', '--data-dir', dataDirectory], PASSWORD)
}

/** A running daemon; `address` is `http://127.0.0.1:PORT`. */
export type Served = { child: ChildProcess; port: number; address: string }

/** Runs the daemon on a data directory until the work has ended. */
export async function whileServing<Result>(
  dataDirectory: string,
  work: (served: Served) => Promise<Result>,
  environment = process.env,
): Promise<Result> {
  const words = ['serve', '--host', '127.0.0.1', '--websocket-port', '0', '--data-dir', dataDirectory]
  const { child, port } = await startServer((free) => [PHLIX, [...words, '--port', String(free)]], environment)
  try {
    return await work({ child, port, address: `http://127.0.0.1:${port}` })
  } finally {
    await stop(child)
  }
}

type FilledServer<Filled> = Account & {
  /** Part of the name of the data directory. */
  name: string
  /** Fills the database before a daemon starts. */
  fill: (database: Database) => Promise<Filled>
}

type Filling<Filled> = { filled: Filled; connectionUri: string; dataDirectory: string }

/** Creates a data directory with a filled database, which exists until the work has ended. No daemon runs on it. */
export async function withFilledData<Filled, Result>(
  { name, isAdmin, fill }: FilledServer<Filled>,
  work: (filling: Filling<Filled>) => Promise<Result>,
): Promise<Result> {
  const dataDirectory = mkdtempSync(join(tmpdir(), `phlix-bench-${name}-`))
  chmodSync(dataDirectory, 0o711)
  const config = loadConfig({ dataDirectory, environment: {} })
  const log = await createLogger(config, { level: 'error' })
  setUpData(dataDirectory, { isAdmin })
  const database = await openDatabase({ config, log, statementTimeoutSeconds: 3600 })
  try {
    const filled = await fill(database.pool)
    return await work({ filled, connectionUri: database.connectionUri, dataDirectory })
  } finally {
    await database.close()
    await untilStopped(dataDirectory)
    rmSync(dataDirectory, { recursive: true, force: true })
  }
}

/** Runs the daemon on a new data directory with a filled database until the work has ended. */
export async function whileServingFilled<Filled, Result>(
  server: FilledServer<Filled>,
  work: (served: Served, filling: Filling<Filled>) => Promise<Result>,
): Promise<Result> {
  return withFilledData(server, (filling) => whileServing(filling.dataDirectory, (served) => work(served, filling)))
}
