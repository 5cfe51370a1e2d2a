import { Client } from 'pg'
import { startPeriodicTask } from '../concurrency/index.ts'
import { toDatabaseError } from './database-errors.ts'

const CONNECTION_TIMEOUT_MILLISECONDS = 5000

/** The kernel detects a dead TCP peer only after hours. */
const CHECK_MILLISECONDS = 10_000

export type NotificationListener = {
  /** Idempotent. */
  close(): Promise<void>
}

/**
 * Listens on a channel (PostgreSQL manual, LISTEN), on an own connection.
 * @param input.channel an identifier of lower-case letters and underscores
 * @param input.onLost called once when the connection ends before `close`
 * @throws AppError `database_unavailable`
 */
export async function listenToChannel(input: {
  connectionUri: string
  channel: string
  onMessage: (text: string) => void
  onLost: () => void
}): Promise<NotificationListener> {
  const client = new Client({
    connectionString: input.connectionUri,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MILLISECONDS,
    query_timeout: CONNECTION_TIMEOUT_MILLISECONDS,
    application_name: `phlix listen ${input.channel}`.slice(0, 63),
  })
  let isOpen = false
  const end = (): void => {
    if (!isOpen) return
    isOpen = false
    void check.stop()
    client.end().catch(() => undefined)
    input.onLost()
  }
  client.on('error', end).on('end', end)
  client.on('notification', ({ payload = '' }) => input.onMessage(payload))
  const check = startPeriodicTask({
    intervalMilliseconds: CHECK_MILLISECONDS,
    keepsProcessAlive: false,
    work: async () => void (await client.query('select 1')),
    onError: end,
  })
  try {
    await client.connect()
    await client.query(`listen ${client.escapeIdentifier(input.channel)}`)
    isOpen = true
  } catch (error) {
    await Promise.all([check.stop(), client.end().catch(() => undefined)])
    throw toDatabaseError(error)
  }
  return {
    async close() {
      isOpen = false
      await check.stop()
      await client.end().catch(() => undefined)
    },
  }
}
