import { Client } from 'pg'
import type { Test } from 'tap'
import { waitUntil } from './wait-until.ts'

/** A separate connection in a transaction; its locks are held until `commit`. */
export type LockHolder = {
  query(text: string, values?: unknown[]): Promise<{ rowCount: number | null }>
  /** Resolves when this number of connections to the database wait for a lock. */
  waiting(count: number): Promise<void>
  commit(): Promise<void>
}

/** Never chosen as the victim of a deadlock, so that the other participant is. */
export async function holdLocks(t: Test, connectionUri: string): Promise<LockHolder> {
  const client = new Client({ connectionString: connectionUri })
  // The database of a test may be dropped before its connections are closed.
  client.on('error', () => {})
  await client.connect()
  t.teardown(() => client.end())
  await client.query(`set deadlock_timeout = '1h'`)
  await client.query('begin')
  return {
    query: (text, values) => client.query(text, values),
    waiting: (count) =>
      waitUntil(`${count} connections that wait for a lock`, async () => {
        // PostgreSQL caches the statistics of connections until the transaction ends.
        await client.query('select pg_stat_clear_snapshot()')
        const { rows } = await client.query<{ pid: number }>(`select distinct pid from pg_locks where not granted
          and pid in (select pid from pg_stat_activity where datname = current_database())`)
        return rows.length === count
      }),
    commit: async () => void (await client.query('commit')),
  }
}
