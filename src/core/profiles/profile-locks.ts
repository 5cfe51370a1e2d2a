import type { Connection } from '../platform/database/index.ts'
import { profileErrors } from './errors.ts'
import { lockProfileRow, lockAccountPolicy } from './queries.ts'

/**
 * Locks the row of an account until the transaction ends, so that its profiles and its limits change one after the other.
 * @throws AppError `profile_not_found` for a deleted account
 */
export async function lockAccountProfiles(
  connection: Connection,
  accountId: string,
): Promise<{ policyId: number | null }> {
  const account = await lockAccountPolicy(connection, accountId)
  if (account === undefined) throw profileErrors.profile_not_found()
  return account
}

/**
 * Locks a profile against deletion until the transaction ends, so that rows that refer to it can be written.
 * @throws AppError `profile_not_found` for a deleted profile
 */
export async function lockProfile(connection: Connection, profileId: string): Promise<void> {
  if (!(await lockProfileRow(connection, profileId))) throw profileErrors.profile_not_found()
}
