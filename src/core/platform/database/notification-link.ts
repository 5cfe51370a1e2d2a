import { Client, type QueryResultRow } from 'pg'
import { startPeriodicTask } from '../concurrency/index.ts'
import { toDatabaseError } from './database-errors.ts'
import { databaseErrors } from './errors.ts'
import { LOCK_IS_HELD_QUERY } from './session-lock.ts'

/** Messages between processes with the same database, over one connection, in the order of sending. */
export type NotificationLink = {
  /**
   * Sends to all processes that listen to a channel; without a listener the message is lost.
   * @param payload at most 7999 bytes
   * @throws AppError `database_unavailable`
   */
  notify(channel: string, payload: string): Promise<void>
  /**
   * How many connections listen to the channel of this one, which is counted too.
   * @throws AppError `database_unavailable`
   */
  countListeners(): Promise<number>
  /**
   * Whether a session holds the lock of a key.
   * @throws AppError `database_unavailable`
   */
  isLockHeld(key: string): Promise<boolean>
  /** Gives up the lock of this connection: others see that the process ends. @throws AppError `database_unavailable` */
  releaseLock(): Promise<void>
  /** Idempotent. */
  close(): Promise<void>
}

export type NotificationLinkInput = {
  connectionUri: string
  /** At most 63 characters of `a` to `z`, `0` to `9` and `_`. */
  channel: string
  /**
   * Key of a session lock that is held as long as the connection lasts, so that others see that this process lives. The lock is shared:
   * a new connection does not wait for the server to notice that the one before was lost.
   */
  lockKey: string
}

const TAKE_LOCK_QUERY = 'select pg_try_advisory_lock_shared(hashtextextended($1, 0)) as held'

const RELEASE_LOCK_QUERY = 'select pg_advisory_unlock_shared(hashtextextended($1, 0))'

const COUNT_QUERY = `select count(*)::int as count from pg_stat_activity
  where datname = current_database() and application_name = $1`

const CONNECTION_TIMEOUT_MILLISECONDS = 5000

/** The kernel detects a dead TCP peer only after hours. */
const HEARTBEAT_MILLISECONDS = 5000

/**
 * Listens to a channel of the database (PostgreSQL manual, LISTEN and NOTIFY).
 * @param onLost called once if the connection is lost before `close`
 * @throws AppError `database_unavailable`
 */
export async function openNotificationLink(
  { connectionUri, channel, lockKey }: NotificationLinkInput,
  { onMessage, onLost }: { onMessage: (payload: string) => void; onLost: () => void },
): Promise<NotificationLink> {
  const client = new Client({
    connectionString: connectionUri,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MILLISECONDS,
    query_timeout: CONNECTION_TIMEOUT_MILLISECONDS,
    // The server ends a statement too: a backend that waits does not see that its client has gone.
    statement_timeout: CONNECTION_TIMEOUT_MILLISECONDS,
    application_name: nameOf(channel),
  })
  let [isOpen, isOver] = [false, false]
  /** The library takes one query at a time. */
  let queue: Promise<unknown> = Promise.resolve()
  const lose = (): void => {
    if (isOver) return
    isOver = true
    void heartbeat.stop()
    client.end().catch(() => undefined)
    if (isOpen) onLost()
  }
  const heartbeat = startPeriodicTask({
    intervalMilliseconds: HEARTBEAT_MILLISECONDS,
    keepsProcessAlive: false,
    work: async () => {
      if (!isOpen) return
      const beat = queue.then(() => client.query('select 1'))
      queue = beat.catch(() => undefined)
      await beat
    },
    onError: lose,
  })
  client.on('error', lose)
  client.on('end', lose)
  try {
    await client.connect()
    const { rows } = await client.query<{ held: boolean }>(TAKE_LOCK_QUERY, [lockKey])
    if (rows[0]?.held !== true) throw databaseErrors.database_unavailable({ retryAfterSeconds: 2 })
    client.on('notification', ({ payload }) => onMessage(payload ?? ''))
    await client.query(`listen ${channel}`)
    isOpen = true
  } catch (error) {
    isOver = true
    void heartbeat.stop()
    await client.end().catch(() => undefined)
    throw toDatabaseError(error)
  }
  async function ask<Row extends QueryResultRow>(text: string, values: string[]): Promise<Row | undefined> {
    const asking = queue.then(() => client.query<Row>(text, values))
    queue = asking.catch(() => undefined)
    try {
      return (await asking).rows[0]
    } catch (error) {
      throw toDatabaseError(error)
    }
  }

  return {
    async notify(target, payload) {
      await ask('select pg_notify($1, $2)', [target, payload])
    },
    async countListeners() {
      return (await ask<{ count: number }>(COUNT_QUERY, [nameOf(channel)]))?.count ?? 0
    },
    async isLockHeld(key) {
      return (await ask<{ held: boolean }>(LOCK_IS_HELD_QUERY, [key]))?.held === true
    },
    async releaseLock() {
      await ask(RELEASE_LOCK_QUERY, [lockKey])
    },
    async close() {
      // What was sent before arrives.
      await queue
      if (isOver) return
      isOver = true
      void heartbeat.stop()
      await client.end().catch(() => undefined)
    },
  }
}

/** The name of the connections that listen to a channel, in `pg_stat_activity`. */
const nameOf = (channel: string): string => `phlix ${channel}`.slice(0, 63)
