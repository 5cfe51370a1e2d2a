import { sql } from 'slonik'
import type { Connection } from './open-database.ts'

/** Lets one transaction at a time hold a name, as one that counts rows before it adds to them; until the transaction ends. */
export async function lockName(connection: Connection, name: string): Promise<void> {
  await connection.query(sql.unsafe`select pg_advisory_xact_lock(hashtextextended(${`phlix:${name}`}, 0))`)
}
