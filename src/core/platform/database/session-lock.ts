import { Client } from 'pg'
import { asDatabaseError } from './database-errors.ts'
import { withClient } from './with-client.ts'

/** A lock that lives as long as its own connection: whoever can take it knows that its holder is gone, however it died. */
export type SessionLock = {
  /** Called once, when the connection is lost before `release`. */
  onLost(listener: () => void): void
  /** Idempotent. */
  release(): Promise<void>
}

export type SessionLockInput = {
  connectionUri: string
  key: string
  /** Any number may hold a `shared` one together, nobody beside an `exclusive` one. */
  mode?: 'exclusive' | 'shared'
}

const CONNECTION_TIMEOUT_MILLISECONDS = 5000

/** The kernel notices a dead TCP peer by itself only after hours; a Unix socket closes at once. */
const HEARTBEAT_MILLISECONDS = 2000

/**
 * Takes an advisory lock on a connection of its own.
 * @returns undefined when somebody else holds it
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
    throw asDatabaseError(error)
  }
  return hold(client, lost)
}

/** A 64-bit advisory lock shows in pg_locks as two halves, with `objsubid` 1 (PostgreSQL manual, pg_locks). */
const HELD = `select exists (
  select from pg_locks
  where locktype = 'advisory' and objsubid = 1 and granted
    and database = (select oid from pg_database where datname = current_database())
    and (classid::bigint << 32 | objid::bigint) = hashtextextended($1, 0)
) as held`

/**
 * Whether anybody holds the lock now, without trying to take it: two that look at the same time do not see each other.
 * @throws AppError `database_unavailable`
 */
export function isSessionLockHeld({ connectionUri, key }: Omit<SessionLockInput, 'mode'>): Promise<boolean> {
  return withClient(connectionUri, async (client) => {
    const { rows } = await client.query<{ held: boolean }>(HELD, [key])
    return rows[0]?.held === true
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

function hold(client: Client, loss: Loss): SessionLock {
  const heartbeat = setInterval(() => {
    client.query('select 1').catch(loss.report)
  }, HEARTBEAT_MILLISECONDS)
  heartbeat.unref()
  let releasing: Promise<void> | undefined
  return {
    onLost(listener) {
      loss.listener = () => {
        clearInterval(heartbeat)
        listener()
      }
      if (loss.isLost && releasing === undefined) loss.listener()
    },
    release() {
      clearInterval(heartbeat)
      loss.listener = undefined
      releasing ??= client.end().catch(() => undefined)
      return releasing
    },
  }
}
