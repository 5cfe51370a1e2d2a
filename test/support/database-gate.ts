import { Client } from 'pg'
import type { Test } from 'tap'
import { waitUntil } from './wait-until.ts'

export type DatabaseGate = {
  /** Resolves when somebody stands before the gate, or when it was opened. */
  reached: () => Promise<void>
  /** Lets them through, and all who come after. */
  open: () => Promise<void>
}

/** Rows of a table and what is done to them, as a trigger names it: `insert`, `delete`, `update of path`. */
export type GatedWrites = { table: string; event: string; condition?: string }

/** Holds whoever writes certain rows, in the middle of the transaction. One such gate at a time. */
export async function gateAtWrites(t: Test, connectionUri: string, writes: GatedWrites): Promise<DatabaseGate> {
  const { table, event, condition = 'true' } = writes
  return makeGate(t, connectionUri, {
    shut: `select pg_advisory_lock(4711);
      create or replace function test_gate() returns trigger language plpgsql as $$ begin
        perform pg_advisory_xact_lock_shared(4711);
        return case tg_op when 'DELETE' then old else new end;
      end $$;
      create trigger test_gate before ${event} on ${table} for each row when (${condition}) execute function test_gate()`,
    open: `select pg_advisory_unlock(4711); drop trigger test_gate on ${table}`,
  })
}

/** Holds whoever reads or writes a table. */
export async function gateAtTable(t: Test, connectionUri: string, table: string): Promise<DatabaseGate> {
  return makeGate(t, connectionUri, { shut: `begin; lock table ${table} in access exclusive mode`, open: 'commit' })
}

async function makeGate(
  t: Test,
  connectionUri: string,
  statements: { shut: string; open: string },
): Promise<DatabaseGate> {
  const client = new Client({ connectionString: connectionUri })
  // The database of a test may go before its connections.
  client.on('error', () => {})
  await client.connect()
  t.teardown(() => client.end())
  // One after the other: statements sent together are one transaction, and the trigger must be there for others.
  for (const statement of statements.shut.split(/;\s*(?=create|lock)/)) await client.query(statement)
  let isOpen = false
  return {
    reached: async () => {
      await waitUntil('somebody stands before the gate', async () => {
        if (isOpen) return true
        const { rowCount } = await client.query(`select from pg_locks where not granted
          and database = (select oid from pg_database where datname = current_database())`)
        return rowCount !== 0
      })
    },
    open: async () => {
      isOpen = true
      for (const statement of statements.open.split('; ')) await client.query(statement)
    },
  }
}
