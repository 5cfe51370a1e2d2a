import { Client } from 'pg'
import type { Test } from 'tap'
import { waitUntil } from './wait-until.ts'

export type DatabaseGate = {
  /** Resolves when a session waits at the gate, or when it was opened. */
  reached: () => Promise<void>
  /** Releases the waiting sessions and all later ones. */
  open: () => Promise<void>
}

/** Writes to hold: a table, and the trigger event `insert`, `delete` or `update of path`. */
export type GatedWrites = { table: string; event: string; condition?: string }

/** Blocks sessions that write certain rows, in the middle of the transaction. Only one such gate may exist at a time. */
export async function gateAtWrites(t: Test, connectionUri: string, writes: GatedWrites): Promise<DatabaseGate> {
  const { table, event, condition = 'true' } = writes
  return makeGate(t, connectionUri, {
    shut: `select pg_advisory_lock(4711);
      create or replace function test_gate() returns trigger language plpgsql as $$ begin
        perform pg_advisory_xact_lock_shared(4711);
        return case tg_op when 'DELETE' then old else new end;
      end $$;
      create trigger test_gate before ${event} on ${table} for each row when (${condition}) execute function test_gate()`,
    waiting: `locktype = 'advisory' and objid = 4711`,
    open: `select pg_advisory_unlock(4711); drop trigger test_gate on ${table}`,
  })
}

/**
 * Blocks sessions that use a table: all of them, or only writers. This gate leaves nothing behind when the database is killed, so it suits
 * tests that do so.
 */
export async function gateAtTable(
  t: Test,
  connectionUri: string,
  table: string,
  held: 'all' | 'writers' = 'all',
): Promise<DatabaseGate> {
  const mode = held === 'all' ? 'access exclusive' : 'share'
  return makeGate(t, connectionUri, {
    shut: `begin; lock table ${table} in ${mode} mode`,
    waiting: `relation = '${table}'::regclass`,
    open: 'commit',
  })
}

async function makeGate(
  t: Test,
  connectionUri: string,
  statements: { shut: string; waiting: string; open: string },
): Promise<DatabaseGate> {
  const client = new Client({ connectionString: connectionUri })
  // The database of a test may be closed before its connections.
  client.on('error', () => {})
  await client.connect()
  t.teardown(() => client.end())
  // Sent separately: statements sent together form one transaction, and the trigger must be visible to other sessions.
  for (const statement of statements.shut.split(/;\s*(?=create|lock)/)) await client.query(statement)
  let isOpen = false
  return {
    reached: async () => {
      await waitUntil('a session waits at the gate', async () => {
        if (isOpen) return true
        const { rowCount } = await client.query(`select from pg_locks where not granted and ${statements.waiting}
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
