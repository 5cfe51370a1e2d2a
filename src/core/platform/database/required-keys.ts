import type { Client } from 'pg'
import { violatedUniqueConstraint } from './database-errors.ts'
import { withDedicatedConnection } from './with-dedicated-connection.ts'

/** A primary key, or a unique key of columns. */
export type RequiredKey = { table: string; name: string; kind: 'primary key' | 'unique'; columns: readonly string[] }

/**
 * Whether a table has a key. A dump that was loaded without its keys, or an administrator, can have removed it.
 * @throws AppError `database_unavailable`
 */
export function hasKey(connectionUri: string, { name }: RequiredKey): Promise<boolean> {
  return withDedicatedConnection(connectionUri, (client) => isPresent(client, name))
}

/**
 * Adds a key if it is missing. There is no time limit for its index; writers of the table wait meanwhile.
 * @returns false if rows are repeated, so that it cannot be added
 * @throws AppError `database_unavailable`
 */
export function addMissingKey(connectionUri: string, key: RequiredKey): Promise<boolean> {
  return withDedicatedConnection(connectionUri, async (client) => {
    if (await isPresent(client, key.name)) return true
    const [table = '', name = '', ...columns] = [key.table, key.name, ...key.columns].map((word) =>
      client.escapeIdentifier(word),
    )
    try {
      await client.query(`alter table ${table} add constraint ${name} ${key.kind} (${columns.join(', ')})`)
      return true
    } catch (error) {
      if (violatedUniqueConstraint(error) === key.name) return false
      throw error
    }
  })
}

async function isPresent(client: Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `select exists (select from pg_constraint where conname = $1 and connamespace = current_schema()::regnamespace) as found`,
    [name],
  )
  return rows[0]?.found === true
}
