import { createPool, type CommonQueryMethods, type DatabasePool } from 'slonik'
import type { Config } from '../config/index.ts'
import { describeError } from '../errors/index.ts'
import type { Logger } from '../logging/index.ts'
import { asDatabaseError } from './database-errors.ts'
import { hasCluster, joinEngine, type EngineLease } from './engine/index.ts'
import { databaseErrors } from './errors.ts'
import { createTimeoutDriver } from './timeout-driver.ts'
import { limitPool } from './limited-pool.ts'
import { rowInterceptor } from './parse-rows.ts'
import { lowerBackendPriority } from './lower-backend-priority.ts'
import { TYPE_PARSERS } from './type-parsers.ts'
import { withClient } from './with-client.ts'

/** The pool; use-cases begin transactions on it. */
export type Database = DatabasePool

/** The pool or a transaction: what queries take, so that they run inside and outside of one. */
export type Connection = CommonQueryMethods

export type OpenDatabase = {
  pool: Database
  connectionUri: string
  engine: 'embedded' | 'external'
  /** Ends the connections and gives the engine's lease back. Idempotent. */
  close(): Promise<void>
}

export type OpenDatabaseInput = {
  config: Config
  log: Logger
  /** Longest time of one attempt of a statement; 5 s on request paths. A statement that a deadlock ended is tried again. */
  statementTimeoutSeconds?: number
}

const STATEMENT_TIMEOUT_SECONDS = 5
const CONNECTION_TIMEOUT_MILLISECONDS = 5000
/** A server that is stopped takes connections and says nothing: all tries together may take as long as a statement (F-05). */
const CONNECTION_TRIES = 2
/** Beyond the statement timeout, for the way there and back. */
const ANSWER_GRACE_MILLISECONDS = 500

/** How long a connection that is closed may take to end in good order. */
const GOODBYE_MILLISECONDS = 250

/**
 * How often a transaction, or a statement outside of one, is repeated that the server rolled back to end a deadlock or a serialization
 * conflict (class 40; PostgreSQL, Appendix A). It left nothing behind. A statement whose connection died may have run: slonik does not
 * repeat it, because repeating it is the caller's decision.
 */
const ROLLBACK_RETRY_LIMIT = 5

const OLDEST_SERVER_VERSION = 160_000

/**
 * Opens the configured database: the embedded engine of the data directory (started when it is down), or the server that DB_HOST
 * names, a host or the directory of a Unix socket.
 * @throws AppError `database_unavailable`, `database_too_old`, `engine_*`
 */
export async function openDatabase(input: OpenDatabaseInput): Promise<OpenDatabase> {
  const { config, log } = input
  const isExternal = config.options['database.host'] !== undefined
  const lease = isExternal ? undefined : await joinEngine({ dataDirectory: config.dataDirectory, log })
  const connectionUri = lease?.connectionUri ?? externalUri(config)
  try {
    if (isExternal) await checkServer(connectionUri)
    const pool = await openPool({ ...input, connectionUri })
    return { pool, connectionUri, engine: isExternal ? 'external' : 'embedded', close: closer(pool, lease) }
  } catch (error) {
    await lease?.leave()
    throw asDatabaseError(error)
  }
}

/** Whether there is a database to open: another server's, or an embedded one that was made before. */
export function isDatabaseMade({ dataDirectory, options }: Config): boolean {
  return options['database.host'] !== undefined || hasCluster(dataDirectory)
}

/**
 * Begins to start the embedded engine of a database that was made before, and returns at once, so that the caller can load modules
 * meanwhile. Starts nothing where there is no such database.
 */
export function prestartEngine({ config, log }: OpenDatabaseInput): StartingEngine {
  const isWanted = config.options['database.host'] === undefined && hasCluster(config.dataDirectory)
  const joining = isWanted ? joinEngine({ dataDirectory: config.dataDirectory, log }) : undefined
  // `settle` tells of a failure.
  joining?.catch(() => {})
  return {
    settle: async () => void (await joining),
    leave: () => void joining?.then((lease) => lease.leave()).catch(() => {}),
  }
}

export type StartingEngine = {
  /** Resolves when the engine has started. @throws AppError as `joinEngine` does */
  settle(): Promise<void>
  /** Gives the lease back, as soon as there is one; the engine stops soon unless somebody else holds one. */
  leave(): void
}

export type PoolInput = OpenDatabaseInput & {
  /** Of a database that is open already: a thread's own connections end with the thread. */
  connectionUri: string
  maxPoolSize?: number
  /** Whether others go first: nobody waits for what these connections do. */
  isBackground?: boolean
}

/** Connections to a database that somebody else keeps open. They are made when they are needed. */
export async function openPool({ config, log, statementTimeoutSeconds, ...input }: PoolInput): Promise<Database> {
  const { connectionUri, isBackground = false } = input
  const statementTimeout = (statementTimeoutSeconds ?? STATEMENT_TIMEOUT_SECONDS) * 1000
  const isOurs = config.options['database.host'] === undefined
  const isPooled = config.options['database.pool_enabled']
  const maxPoolSize = isPooled ? (input.maxPoolSize ?? config.options['database.pool_size']) : 1
  const pool = await createPool(connectionUri, {
    driverFactory: createTimeoutDriver({
      limitMilliseconds: statementTimeout + ANSWER_GRACE_MILLISECONDS,
      isBackground,
      prepare: isBackground && isOurs ? (client) => lowerBackendPriority(client, log) : undefined,
    }),
    gracefulTerminationTimeout: GOODBYE_MILLISECONDS,
    captureStackTrace: false,
    connectionTimeout: Math.min(CONNECTION_TIMEOUT_MILLISECONDS, statementTimeout / CONNECTION_TRIES),
    connectionRetryLimit: CONNECTION_TRIES,
    queryRetryLimit: ROLLBACK_RETRY_LIMIT,
    transactionRetryLimit: ROLLBACK_RETRY_LIMIT,
    idleTimeout: 60_000,
    maxPoolSize,
    resetConnection: leaveAsItIs,
    statementTimeout,
    typeParsers: [...TYPE_PARSERS],
    interceptors: [rowInterceptor],
  })
  // slonik announces every failed query here, also a unique violation that its caller expects; without a listener it would throw.
  pool.on('error', (error) => log.debug({ reason: describeError(error) }, 'a query failed'))
  return limitPool(pool, maxPoolSize)
}

/**
 * slonik would send `discard all` after every query, which doubles the way to the server. Nothing here changes a connection for longer
 * than a transaction: settings are `set local`, and locks of sessions have connections of their own.
 */
async function leaveAsItIs(): Promise<void> {
  // Nothing to undo.
}

function closer(pool: Database, lease: EngineLease | undefined): () => Promise<void> {
  let closing: Promise<void> | undefined
  return () => {
    closing ??= endAll(pool, lease)
    return closing
  }
}

async function endAll(pool: Database, lease: EngineLease | undefined): Promise<void> {
  try {
    await pool.end()
  } finally {
    await lease?.leave()
  }
}

/** A host that starts with a slash is the directory of a Unix socket, as everywhere with PostgreSQL. */
function externalUri(config: Config): string {
  const { options } = config
  const encode = encodeURIComponent
  const account = `${encode(options['database.user'])}:${encode(options['database.password'])}`
  const host = encode(options['database.host'] ?? '')
  return `postgresql://${account}@${host}:${options['database.port']}/${encode(options['database.name'])}`
}

async function checkServer(connectionUri: string): Promise<void> {
  const version = await withClient(connectionUri, async (client) => {
    const { rows } = await client.query<{ server_version_num: string }>('show server_version_num')
    return Number(rows[0]?.server_version_num)
  })
  requireServerVersion(version)
}

/** @throws AppError `database_too_old` below PostgreSQL 16 (decisions 3.1); the number is `server_version_num` */
export function requireServerVersion(version: number): void {
  if (version >= OLDEST_SERVER_VERSION) return
  throw databaseErrors.database_too_old({
    message: `The server is PostgreSQL ${Math.floor(version / 10_000)}; 16 or newer is needed.`,
    hint: 'Upgrade the server, or unset DB_HOST to use the embedded one.',
  })
}
