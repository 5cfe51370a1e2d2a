import { findPolicyIdsOf, openLimitedPool, readAccessRule } from './access/index.ts'
import type { CoreServices } from './core-services.ts'
import type { Database } from './platform/database/index.ts'

/**
 * Runs work over the database as a profile sees it. For commands, which need it once: the daemon keeps the connections of its viewers.
 * @throws AppError the errors of opening a database
 */
export async function runAsAccount<Result>(
  services: Pick<CoreServices, 'config' | 'log' | 'db' | 'connectionUri'>,
  profileId: string,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const policyId = (await findPolicyIdsOf(services.db, [profileId])).get(profileId) ?? null
  if (policyId === null) return work(services.db)
  const pool = await openLimitedPool(services, { id: policyId, rule: await readAccessRule(services.db, policyId) })
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}
