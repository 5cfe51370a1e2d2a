import { createPool, type CommonQueryMethods, type DatabasePool } from 'slonik'
import type { Config } from '../config/index.ts'
import { describeError } from '../errors/index.ts'
import type { Logger } from '../logging/index.ts'
import { toDatabaseError } from './database-errors.ts'
import { hasCluster, joinEngine, findOlderClusterVersion, type EngineLease } from './engine/index.ts'
import { databaseErrors } from './errors.ts'
import type { BackgroundThrottle } from '../threads/index.ts'
import { createTimeoutDriver } from './timeout-driver.ts'
import { limitPool } from './limited-pool.ts'
import { createRowInterceptor } from './camel-case-rows.ts'
import { lowerBackendPriority } from './lower-backend-priority.ts'
import { TYPE_PARSERS } from './type-parsers.ts'
import { unpreparedPrefix } from './unprepared-statement.ts'
import { describeConnectionFailure } from './connection-failure.ts'
import { withDedicatedConnection } from './with-dedicated-connection.ts'

/** The connection pool. Use cases start transactions on it. */
export type Database = DatabasePool

/** The pool or a transaction. Query functions accept either. */
export type Connection = CommonQueryMethods

export type OpenDatabase = {
  pool: Database
  connectionUri: string
  engine: 'embedded' | 'external'
  /** Closes the connections and releases the engine's lease. Idempotent. */
  close(): Promise<void>
}

export type OpenDatabaseInput = {
  config: Config
  log: Logger
  /** Time limit of one attempt of a statement; 5 s for requests. A statement that was rolled back because of a deadlock is repeated. */
  statementTimeoutSeconds?: number
}

const STATEMENT_TIMEOUT_SECONDS = 5
const CONNECTION_TIMEOUT_MILLISECONDS = 5000
/** A stopped server process accepts connections and never responds. All attempts together may take as long as one statement. */
const CONNECTION_TRIES = 2
/** Added to the statement timeout for the network round trip. */
const ANSWER_GRACE_MILLISECONDS = 500

/** Time limit for the orderly end of a connection that is being closed. */
const TERMINATION_MILLISECONDS = 250

/**
 * How often a transaction or a single statement is repeated if the server has rolled it back because of a deadlock or a serialization
 * conflict (class 40; PostgreSQL, Appendix A). The rollback left no effects. A statement whose connection died may have run; slonik does
 * not repeat it, because that is the caller's decision.
 */
const ROLLBACK_RETRY_LIMIT = 5

const OLDEST_SERVER_VERSION = 160_000

/**
 * Opens the configured database: the embedded engine of the data directory (started if necessary), or the server at DB_HOST. DB_HOST is a
 * host name or the directory of a Unix socket.
 * @throws AppError `database_unavailable`, `database_refused`, `database_too_old`, `engine_*`
 */
export async function openDatabase(input: OpenDatabaseInput): Promise<OpenDatabase> {
  const { config, log } = input
  const isExternal = config.options['database.host'] !== undefined
  const lease = isExternal ? undefined : await joinEngine({ dataDirectory: config.dataDirectory, log })
  const connectionUri = lease?.connectionUri ?? externalDatabaseUri(config)
  try {
    if (isExternal) await checkServer(config, connectionUri)
    const pool = await openPool({ ...input, connectionUri })
    return { pool, connectionUri, engine: isExternal ? 'external' : 'embedded', close: closer(pool, lease) }
  } catch (error) {
    await lease?.leave()
    throw toDatabaseError(error)
  }
}

/** Whether there is a database to open: an external server, or an embedded cluster that already exists. */
export function hasDatabase({ dataDirectory, options }: Config): boolean {
  return options['database.host'] !== undefined || hasCluster(dataDirectory)
}

/**
 * Begins to start the embedded engine of an existing cluster, so that the caller can load modules in the meantime: after `launched`, because
 * loading blocks the thread. Does nothing without such a cluster, and with one that must be upgraded first.
 */
export function prestartEngine({ config, log }: OpenDatabaseInput): StartingEngine {
  const { dataDirectory } = config
  const isUsable = hasCluster(dataDirectory) && findOlderClusterVersion(dataDirectory) === undefined
  const isWanted = config.options['database.host'] === undefined && isUsable
  const waiting = Promise.withResolvers<void>()
  const joining = isWanted ? joinEngine({ dataDirectory, log, onWaiting: waiting.resolve }) : undefined
  // `settle` reports a failure.
  const ended = joining?.catch(() => undefined)
  return {
    launched: async () => void (await Promise.race([waiting.promise, ended])),
    settle: async () => void (await joining),
    leave: () => void joining?.then((lease) => lease.leave()).catch(() => {}),
  }
}

export type StartingEngine = {
  /** Resolves when the processes of the engine have been started, or when nothing is to be started. Never rejects. */
  launched(): Promise<void>
  /** Resolves when the engine has started. @throws AppError as `joinEngine` does */
  settle(): Promise<void>
  /** Releases the lease as soon as it is acquired. The engine stops shortly afterwards unless another process holds a lease. */
  leave(): void
}

export type PoolOptions = OpenDatabaseInput & {
  /** URI of a database that is already open. A thread needs its own connections, which end with the thread. */
  connectionUri: string
  maxPoolSize?: number
  /** Given for background work, whose statements wait for requests and whose connections have a lower priority. */
  throttle?: BackgroundThrottle
  /** A statement that runs on each connection before all others. */
  connectionStatement?: string
}

/** Opens a pool on a database whose engine is kept running by another lease. Connections are opened on demand. */
export async function openPool({ config, log, statementTimeoutSeconds, ...input }: PoolOptions): Promise<Database> {
  const { connectionUri, throttle, connectionStatement } = input
  const statementTimeout = (statementTimeoutSeconds ?? STATEMENT_TIMEOUT_SECONDS) * 1000
  const isEmbedded = config.options['database.host'] === undefined
  const isPooled = config.options['database.pool_enabled']
  const maxPoolSize = isPooled ? (input.maxPoolSize ?? config.options['database.pool_size']) : 1
  const pool = await createPool(connectionUri, {
    driverFactory: createTimeoutDriver({
      limitMilliseconds: statementTimeout + ANSWER_GRACE_MILLISECONDS,
      throttle,
      prepare: async (client) => {
        if (throttle !== undefined && isEmbedded) await lowerBackendPriority(client, log)
        if (connectionStatement !== undefined) await client.query(`${unpreparedPrefix.sql} ${connectionStatement}`)
      },
    }),
    gracefulTerminationTimeout: TERMINATION_MILLISECONDS,
    captureStackTrace: false,
    connectionTimeout: Math.min(CONNECTION_TIMEOUT_MILLISECONDS, statementTimeout / CONNECTION_TRIES),
    connectionRetryLimit: CONNECTION_TRIES,
    queryRetryLimit: ROLLBACK_RETRY_LIMIT,
    transactionRetryLimit: ROLLBACK_RETRY_LIMIT,
    idleTimeout: 60_000,
    maxPoolSize,
    resetConnection: skipConnectionReset,
    statementTimeout,
    typeParsers: [...TYPE_PARSERS],
    interceptors: [createRowInterceptor()],
  })
  // slonik emits every failed query here, including unique violations that the caller expects. Without a listener the emitter would throw.
  pool.on('error', (error) => log.debug({ reason: describeError(error) }, 'a query failed'))
  return limitPool(pool, maxPoolSize)
}

/**
 * slonik would send `discard all` after every query, which doubles the round trips. No query changes a connection beyond its transaction:
 * settings use `set local`, and session locks have their own connections.
 */
async function skipConnectionReset(): Promise<void> {
  // There is nothing to reset.
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

/** The connection URI of the configured server. A host that starts with a slash is the directory of a Unix socket, as in libpq. */
export function externalDatabaseUri(config: Config): string {
  const { options } = config
  const encode = encodeURIComponent
  const account = `${encode(options['database.user'])}:${encode(options['database.password'])}`
  const host = encode(options['database.host'] ?? '')
  return `postgresql://${account}@${host}:${options['database.port']}/${encode(options['database.name'])}`
}

async function checkServer(config: Config, connectionUri: string): Promise<void> {
  const version = await withDedicatedConnection(connectionUri, async (client) => {
    const { rows } = await client.query<{ server_version_num: string }>('show server_version_num')
    return Number(rows[0]?.server_version_num)
  }).catch((error: unknown) => {
    throw describeConnectionFailure(config, error)
  })
  requireServerVersion(version)
}

/**
 * @param version `server_version_num`
 * @throws AppError `database_too_old` below PostgreSQL 16
 */
export function requireServerVersion(version: number): void {
  if (version >= OLDEST_SERVER_VERSION) return
  throw databaseErrors.database_too_old({
    message: `The server is PostgreSQL ${Math.floor(version / 10_000)}; 16 or newer is needed.`,
    hint: 'Upgrade the server, or unset DB_HOST to use the embedded one.',
  })
}
