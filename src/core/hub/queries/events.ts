import { sql } from 'slonik'
import type { Connection } from '../../platform/database/index.ts'
import type { DirectoryEvent } from '../relay-directory.ts'

/** The channel on which all processes of a hub listen (PostgreSQL manual, NOTIFY). */
export const EVENT_CHANNEL = 'phlix_hub'

/** Sends an event to all processes of the hub when the transaction is committed. */
export async function publishEvent(connection: Connection, event: DirectoryEvent): Promise<void> {
  await connection.query(sql.unsafe`select pg_notify(${EVENT_CHANNEL}, ${JSON.stringify(event)})`)
}
