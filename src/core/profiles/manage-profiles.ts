import {
  combinePolicies,
  EVERYTHING,
  ensureItemsCarryTags,
  checkAndStoreRule,
  requireVisibleLibrariesAndTags,
  readAccessRule,
  withoutDeletedLibraries,
  type AccessRule,
} from '../access/index.ts'
import type { PasswordHashing } from '../platform/credentials/index.ts'
import { violatedUniqueConstraint, type Connection, type Database } from '../platform/database/index.ts'
import type { EventBus } from '../platform/events/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { profileErrors } from './errors.ts'
import { getProfile, type ProfileReference } from './find-profile.ts'
import { lockAccountProfiles } from './profile-locks.ts'
import { forgetWrongPins, hashPin } from './pin.ts'
import type { Profile } from './profile.ts'
import { mergeFields, NEW_PROFILE, type CompleteFields, type ProfileFields } from './profile-fields.ts'
import { deleteProfileRow, insertProfile, selectProfiles, updatePinHash, updateProfileRow } from './queries.ts'

type Dependencies = { db: Database; clock: Clock; events: Pick<EventBus, 'publish'> }

type ByAccount = { isByAccount?: boolean }

/** Stores further rows of a profile in the transaction that makes or changes it, so that either all rows are stored or none. */
type StoreWith = { storeWith?: (connection: Connection, profile: Profile) => Promise<void> }

const MAX_PROFILES = 20

/**
 * Makes a profile of an account. A profile for a child has the limit of age 7 and no downloads, unless the input contains other values.
 * @param input.pin 4 or 6 digits; absent or empty: none
 * @param input.isByAccount whether the account itself requests it: it can only use libraries and tags that it sees
 * @throws AppError `profile_not_found` if there is no such account; `profile.invalid`, `profile.name_taken`, `profile.too_many`,
 * `invalid_access`
 */
export async function createProfile(
  { db, clock, passwordHashing }: Pick<Dependencies, 'db' | 'clock'> & { passwordHashing: PasswordHashing },
  {
    accountId,
    fields,
    pin = '',
    isByAccount = false,
    storeWith,
  }: ByAccount & StoreWith & { accountId: string; fields: ProfileFields & { name: string }; pin?: string | undefined },
): Promise<Profile> {
  const merged = mergeFields(NEW_PROFILE, fields)
  const pinHash = pin === '' ? null : await hashPin(passwordHashing, pin)
  await prepareLimits(db, { accountId, before: EVERYTHING, after: merged.limits, isByAccount })
  return translateNameConflict(
    db.transaction(async (connection) => {
      const { policyId: ofAccount } = await lockAccountProfiles(connection, accountId)
      if ((await selectProfiles(connection, accountId)).length >= MAX_PROFILES) throw profileErrors.too_many_profiles()
      const policies = await policiesOf(connection, merged, ofAccount)
      const profile = await insertProfile(connection, {
        accountId,
        ...merged,
        ...policies,
        pinHash,
        now: clock.now(),
      })
      await storeWith?.(connection, profile)
      return profile
    }),
  )
}

/**
 * Changes a profile. Changed limits take effect with the next request, in all processes.
 * @param input.isByAccount as for a new profile; what the limits had before may stay
 * @throws AppError `profile_not_found`, `profile.main_profile`, `profile.invalid`, `profile.name_taken`, `invalid_access`
 */
export async function updateProfile(
  { db, clock, events }: Dependencies,
  {
    fields,
    isByAccount = false,
    storeWith,
    ...reference
  }: ByAccount & StoreWith & ProfileReference & { fields: ProfileFields },
): Promise<Profile> {
  const found = await getProfile({ db }, reference)
  const { id, accountId } = found
  const limits = await limitsOf(db, found)
  const { limits: after } = mergeFields({ ...found, limits }, fields)
  await prepareLimits(db, { accountId, before: limits, after, isByAccount })
  const changed = await translateNameConflict(
    db.transaction(async (connection) => {
      const { policyId: ofAccount } = await lockAccountProfiles(connection, accountId)
      const before = await getProfile({ db: connection }, reference)
      const merged = mergeFields({ ...before, limits: await limitsOf(connection, before) }, fields)
      if (before.isMain && isUnlike(merged, before)) throw profileErrors.main_profile()
      const policies = await policiesOf(connection, merged, ofAccount)
      if (before.isMain && policies.policyId !== null) throw profileErrors.main_profile()
      const profile = await updateProfileRow(connection, { id, ...merged, ...policies, now: clock.now() })
      if (profile !== undefined) await storeWith?.(connection, profile)
      return profile
    }),
  )
  if (changed === undefined) throw profileErrors.profile_not_found()
  events.publish('account.changed', { accountId })
  return changed
}

/**
 * Sets or removes the PIN of a profile. Earlier wrong PINs do not lock the new one.
 * @param input.pin 4 or 6 digits; empty: none
 * @throws AppError `profile_not_found`, `profile.invalid`
 */
export async function setPin(
  { db, clock, passwordHashing }: Pick<Dependencies, 'db' | 'clock'> & { passwordHashing: PasswordHashing },
  { pin, ...reference }: ProfileReference & { pin: string },
): Promise<Profile> {
  const { id } = await getProfile({ db }, reference)
  const pinHash = pin === '' ? null : await hashPin(passwordHashing, pin)
  const changed = await updatePinHash(db, { id, pinHash, now: clock.now() })
  if (changed === undefined) throw profileErrors.profile_not_found()
  await forgetWrongPins(db, id)
  return changed
}

/**
 * Deletes a profile with all that it has watched; its sessions end.
 * @returns the profile before the deletion
 * @throws AppError `profile_not_found`, `profile.last_profile`, `profile.main_profile`
 */
export async function deleteProfile(
  { db, events }: Omit<Dependencies, 'clock'>,
  reference: ProfileReference,
): Promise<Profile> {
  const profile = await getProfile({ db }, reference)
  const { id, accountId } = profile
  await db.transaction(async (connection) => {
    await lockAccountProfiles(connection, accountId)
    if ((await selectProfiles(connection, accountId)).length === 1) throw profileErrors.last_profile()
    if (profile.isMain) throw profileErrors.main_profile()
    await deleteProfileRow(connection, id)
  })
  events.publish('account.changed', { accountId })
  return profile
}

/** The limits of a profile itself, without libraries that have been deleted. */
async function limitsOf(connection: Connection, { policyId }: Profile): Promise<AccessRule> {
  return withoutDeletedLibraries(connection, await readAccessRule(connection, policyId))
}

/**
 * Prepares the storage of limits, before the transaction that stores them.
 * @throws AppError `invalid_access`
 */
async function prepareLimits(
  db: Database,
  {
    accountId,
    before,
    after,
    isByAccount,
  }: { accountId: string; before: AccessRule; after: AccessRule; isByAccount: boolean },
): Promise<void> {
  if (isByAccount) {
    const main = await getProfile({ db }, { id: accountId })
    await requireVisibleLibrariesAndTags(db, {
      before,
      after,
      seenBy: await readAccessRule(db, main.effectivePolicyId),
    })
  }
  await ensureItemsCarryTags({ db }, after)
}

async function policiesOf(
  connection: Connection,
  { limits }: CompleteFields,
  ofAccount: number | null,
): Promise<Pick<Profile, 'policyId' | 'effectivePolicyId'>> {
  const policyId = (await checkAndStoreRule(connection, limits))?.id ?? null
  return { policyId, effectivePolicyId: await combinePolicies(connection, [ofAccount, policyId]) }
}

function isUnlike(after: CompleteFields, before: Profile): boolean {
  return after.isKids !== before.isKids || after.mayDownload !== before.mayDownload
}

async function translateNameConflict<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (violatedUniqueConstraint(error) === 'profiles_name_key') throw profileErrors.name_taken({ cause: error })
    throw error
  }
}
