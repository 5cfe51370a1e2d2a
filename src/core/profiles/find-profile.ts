import { isRowId, type Connection } from '../platform/database/index.ts'
import { profileErrors } from './errors.ts'
import type { Profile } from './profile.ts'
import { selectProfile, selectProfiles } from './queries.ts'

/** The profiles of an account, the main one first, then by name. */
export async function listProfiles(
  { db }: { db: Connection },
  { accountId }: { accountId: string },
): Promise<readonly Profile[]> {
  return selectProfiles(db, accountId)
}

/** A profile by its id: of one account, or of any for administrators. */
export type ProfileReference = { id: string; accountId?: string | undefined }

/**
 * Reads a profile.
 * @throws AppError `profile_not_found`, also for a profile of another account
 */
export async function getProfile({ db }: { db: Connection }, { id, accountId }: ProfileReference): Promise<Profile> {
  const profile = isRowId(id) ? await selectProfile(db, { id, accountId }) : undefined
  if (profile === undefined) throw profileErrors.profile_not_found()
  return profile
}

/**
 * Reads a profile of an account by its id or, regardless of case, its name.
 * @throws AppError `profile_not_found`
 */
export async function getNamedProfile(
  { db }: { db: Connection },
  { accountId, idOrName }: { accountId: string; idOrName: string },
): Promise<Profile> {
  const wanted = idOrName.normalize('NFC').toLowerCase()
  const profiles = await selectProfiles(db, accountId)
  const found = profiles.find(({ id, name }) => id === wanted || name.toLowerCase() === wanted)
  if (found === undefined) throw profileErrors.profile_not_found({ hint: 'phlix profile:list USER' })
  return found
}
