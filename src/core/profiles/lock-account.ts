import type { Connection } from '../platform/database/index.ts'
import { profileErrors } from './errors.ts'
import { holdProfileRow, lockAccountPolicy } from './queries.ts'

/**
 * Locks an account until the transaction ends, so that its profiles and its limits change one after the other.
 * @throws AppError `profile_not_found` for a deleted account
 */
export async function lockAccount(connection: Connection, accountId: string): Promise<{ policyId: number | null }> {
  const account = await lockAccountPolicy(connection, accountId)
  if (account === undefined) throw profileErrors.profile_not_found()
  return account
}

/**
 * Keeps a profile until the transaction ends: what is written for it refers to a row that exists.
 * @throws AppError `profile_not_found` for a deleted profile
 */
export async function holdProfile(connection: Connection, profileId: string): Promise<void> {
  if (!(await holdProfileRow(connection, profileId))) throw profileErrors.profile_not_found()
}
