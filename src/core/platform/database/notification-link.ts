import { Client } from 'pg'
import { startPeriodicTask } from '../concurrency/index.ts'
import { asDatabaseError } from './database-errors.ts'
import { withClient } from './with-client.ts'

/** Messages between processes with the same database, over one connection, in the order of sending. */
export type NotificationLink = {
  /**
   * Sends to all processes that listen to a channel; without a listener the message is lost.
   * @param payload at most 7999 bytes
   * @throws AppError `database_unavailable`
   */
  notify(channel: string, payload: string): Promise<void>
  /** Idempotent. */
  close(): Promise<void>
}

export type NotificationLinkInput = {
  connectionUri: string
  /** At most 63 characters of `a` to `z`, `0` to `9` and `_`. */
  channel: string
  /** Key of a session lock that is held as long as the connection lasts, so that others see that this process lives. */
  lockKey: string
}

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
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [lockKey])
    client.on('notification', ({ payload }) => onMessage(payload ?? ''))
    await client.query(`listen ${channel}`)
    isOpen = true
  } catch (error) {
    isOver = true
    void heartbeat.stop()
    await client.end().catch(() => undefined)
    throw asDatabaseError(error)
  }
  return {
    async notify(target, payload) {
      const sending = queue.then(() => client.query('select pg_notify($1, $2)', [target, payload]))
      queue = sending.catch(() => undefined)
      try {
        await sending
      } catch (error) {
        throw asDatabaseError(error)
      }
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

/**
 * How many connections listen to a channel.
 * @throws AppError `database_unavailable`
 */
export function countNotificationLinks({
  connectionUri,
  channel,
}: Pick<NotificationLinkInput, 'connectionUri' | 'channel'>): Promise<number> {
  return withClient(connectionUri, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity where datname = current_database() and application_name = $1`,
      [nameOf(channel)],
    )
    return rows[0]?.count ?? 0
  })
}
