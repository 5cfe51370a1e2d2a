import { Client } from 'pg'
import { startPeriodicTask } from '../concurrency/index.ts'
import { toDatabaseError } from './database-errors.ts'
import { withDedicatedConnection } from './with-dedicated-connection.ts'

/** An advisory lock that is bound to its own connection: it is released when its holder ends, however it ends. */
export type SessionLock = {
  /** The listener is called once if the connection breaks before `release`. */
  onLost(listener: () => void): void
  /** Idempotent. */
  release(): Promise<void>
}

export type SessionLockInput = {
  connectionUri: string
  key: string
  /** Any number of `shared` holders at a time, or one `exclusive` holder. */
  mode?: 'exclusive' | 'shared'
}

const CONNECTION_TIMEOUT_MILLISECONDS = 5000

/** The kernel detects a dead TCP peer only after hours; a Unix socket closes immediately. */
const HEARTBEAT_MILLISECONDS = 2000

/**
 * Takes an advisory lock on its own connection.
 * @returns undefined when another session holds it
 * @throws AppError `database_unavailable`
 */
export async function acquireSessionLock(input: SessionLockInput): Promise<SessionLock | undefined> {
  const client = new Client({
    connectionString: input.connectionUri,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MILLISECONDS,
    query_timeout: CONNECTION_TIMEOUT_MILLISECONDS,
    application_name: `phlix lock ${input.key}`.slice(0, 63),
  })
  const lost = watch(client)
  try {
    await client.connect()
    const name = input.mode === 'shared' ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock'
    const { rows } = await client.query<{ held: boolean }>(`select ${name}(hashtextextended($1, 0)) as held`, [
      input.key,
    ])
    if (rows[0]?.held !== true) {
      await client.end()
      return undefined
    }
  } catch (error) {
    await client.end().catch(() => undefined)
    throw toDatabaseError(error)
  }
  return createLock(client, lost)
}

/** Parameter: the key. pg_locks shows a 64-bit advisory lock as two halves, with `objsubid` 1 (PostgreSQL manual, pg_locks). */
export const LOCK_IS_HELD_QUERY = `select exists (
  select from pg_locks
  where locktype = 'advisory' and objsubid = 1 and granted
    and database = (select oid from pg_database where datname = current_database())
    and (classid::bigint << 32 | objid::bigint) = hashtextextended($1, 0)
) as held`

/**
 * Whether a session holds the lock, without an attempt to take it, so that concurrent checks do not affect each other.
 * @throws AppError `database_unavailable`
 */
export function isSessionLockHeld({ connectionUri, key }: Omit<SessionLockInput, 'mode'>): Promise<boolean> {
  return withDedicatedConnection(connectionUri, async (client) => {
    const { rows } = await client.query<{ held: boolean }>(LOCK_IS_HELD_QUERY, [key])
    return rows[0]?.held === true
  })
}

const HOLDERS_QUERY = `select l.pid from pg_locks l join pg_stat_activity a using (pid)
  where l.locktype = 'advisory' and l.objsubid = 1 and l.granted
    and l.database = (select oid from pg_database where datname = current_database())
    and (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended($1, 0)
  order by a.backend_start`

/**
 * The server processes of the connections that hold the lock, oldest first.
 * @throws AppError `database_unavailable`
 */
export function listSessionLockHolders({ connectionUri, key }: Omit<SessionLockInput, 'mode'>): Promise<number[]> {
  return withDedicatedConnection(connectionUri, async (client) => {
    const { rows } = await client.query<{ pid: number }>(HOLDERS_QUERY, [key])
    return rows.map(({ pid }) => pid)
  })
}

type Loss = { isLost: boolean; listener: (() => void) | undefined; report: () => void }

function watch(client: Client): Loss {
  const loss: Loss = {
    isLost: false,
    listener: undefined,
    report: () => {
      if (loss.isLost) return
      loss.isLost = true
      loss.listener?.()
    },
  }
  client.on('error', loss.report)
  client.on('end', loss.report)
  return loss
}

function createLock(client: Client, loss: Loss): SessionLock {
  const heartbeat = startPeriodicTask({
    intervalMilliseconds: HEARTBEAT_MILLISECONDS,
    keepsProcessAlive: false,
    work: async () => void (await client.query('select 1')),
    onError: loss.report,
  })
  let releasing: Promise<void> | undefined
  return {
    onLost(listener) {
      loss.listener = () => {
        void heartbeat.stop()
        listener()
      }
      if (loss.isLost && releasing === undefined) loss.listener()
    },
    release() {
      void heartbeat.stop()
      loss.listener = undefined
      releasing ??= client.end().catch(() => undefined)
      return releasing
    },
  }
}
