import { sql } from 'slonik'
import type { Connection } from './open-database.ts'

/** Takes an advisory lock on a name until the end of the transaction, for example to count rows before inserting some. */
export async function acquireNamedLock(connection: Connection, name: string): Promise<void> {
  await connection.query(sql.unsafe`select pg_advisory_xact_lock(hashtextextended(${`phlix:${name}`}, 0))`)
}
