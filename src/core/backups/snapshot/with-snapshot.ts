import type { Client } from 'pg'
import { withDedicatedConnection } from '../../platform/database/index.ts'
import { backupErrors } from '../errors.ts'
import {
  BEGIN_SNAPSHOT,
  selectSchemaVersion,
  selectServerVersion,
  selectTables,
  SESSION_SETTINGS,
  type StoredTable,
} from '../queries.ts'

/** A consistent state of the database, which concurrent writes do not change. */
export type Snapshot = {
  client: Client
  tables: readonly StoredTable[]
  schemaVersion: number
  serverVersion: string
}

/** PostgreSQL removes no old rows while a snapshot is open, so that tables grow under load. */
const LIMIT_MILLISECONDS = 30 * 60_000

/**
 * Runs work on a snapshot. All of its reads see the database as of the start.
 * @param limitMilliseconds for tests
 * @throws AppError `backup_timeout` after 30 minutes, `database_unavailable`
 */
export function withSnapshot<Result>(
  { connectionUri, limitMilliseconds = LIMIT_MILLISECONDS }: { connectionUri: string; limitMilliseconds?: number },
  work: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  return withDedicatedConnection(connectionUri, async (client) => {
    await client.query(SESSION_SETTINGS)
    await client.query(BEGIN_SNAPSHOT)
    const snapshot = {
      client,
      serverVersion: await selectServerVersion(client),
      schemaVersion: await selectSchemaVersion(client),
      tables: await selectTables(client),
    }
    return untilLimit(work(snapshot), { client, limitMilliseconds })
  })
}

/** Ends the connection at the limit, which ends the statement that runs on it. */
async function untilLimit<Result>(
  work: Promise<Result>,
  { client, limitMilliseconds }: { client: Client; limitMilliseconds: number },
): Promise<Result> {
  const late = Promise.withResolvers<never>()
  late.promise.catch(() => {})
  const timer = setTimeout(() => {
    late.reject(backupErrors.backup_timeout())
    void client.end().catch(() => {})
  }, limitMilliseconds)
  work.catch(() => {})
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
