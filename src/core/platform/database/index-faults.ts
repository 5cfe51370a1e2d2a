import type { Client } from 'pg'
import { listExpectedIndexes } from './expected-indexes.ts'
import { readMigrationFiles } from './migration-files.ts'
import { withDedicatedConnection } from './with-dedicated-connection.ts'

export type IndexFaults = {
  /** Number of indexes that the schema of this release has, without the indexes of constraints. */
  expected: number
  missing: string[]
  /** Left by an index creation that was interrupted. */
  invalid: string[]
}

const INDEXES_QUERY = `select c.relname::text as name, i.indisvalid as is_valid
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where c.relnamespace = current_schema()::regnamespace`

/**
 * Compares the indexes of a database, which must have the current schema, with the indexes that the migrations create.
 * @throws AppError `database_unavailable`
 */
export function findIndexFaults(connectionUri: string): Promise<IndexFaults> {
  return withDedicatedConnection(connectionUri, readFaults)
}

/**
 * Creates the missing indexes and rebuilds the invalid indexes.
 * @throws AppError `database_unavailable`; the error of the server, for example for rows that a unique index forbids
 */
export function repairIndexes(connectionUri: string): Promise<void> {
  return withDedicatedConnection(connectionUri, async (client) => {
    const { missing, invalid } = await readFaults(client)
    const expected = listExpectedIndexes(readMigrationFiles())
    for (const { name, statement } of expected) if (missing.includes(name)) await client.query(statement)
    for (const name of invalid) await client.query(`reindex index ${client.escapeIdentifier(name)}`)
  })
}

async function readFaults(client: Client): Promise<IndexFaults> {
  const { rows } = await client.query<{ name: string; is_valid: boolean }>(INDEXES_QUERY)
  const present = new Set(rows.map(({ name }) => name))
  const expected = listExpectedIndexes(readMigrationFiles())
  return {
    expected: expected.length,
    missing: expected.map(({ name }) => name).filter((name) => !present.has(name)),
    invalid: rows.filter(({ is_valid }) => !is_valid).map(({ name }) => name),
  }
}
