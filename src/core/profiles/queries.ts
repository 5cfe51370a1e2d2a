import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../platform/database/index.ts'
import type { Profile } from './profile.ts'

const ProfileRow = z.strictObject({
  id: z.string(),
  accountId: z.string(),
  name: z.string(),
  isMain: z.boolean(),
  isKids: z.boolean(),
  avatar: z.string().nullable(),
  hasPin: z.boolean(),
  asksPinForChanges: z.boolean(),
  mayDownload: z.boolean(),
  policyId: z.number().nullable(),
  effectivePolicyId: z.number().nullable(),
  createdAt: z.date(),
  updatedAt: z.date(),
})

const columns = sql.fragment`
  id, account_id, name, is_main, is_kids, avatar, pin_hash is not null as has_pin, asks_pin_for_changes, may_download,
  policy_id, effective_policy_id, created_at, updated_at`

/** The profiles of an account, the main one first, then by name. */
export async function selectProfiles(connection: Connection, accountId: string): Promise<readonly Profile[]> {
  return connection.any(sql.type(ProfileRow)`
    select ${columns} from profiles where account_id = ${accountId} order by is_main desc, lower(name), id`)
}

/** A profile, of this account or of any. */
export async function selectProfile(
  connection: Connection,
  { id, accountId }: { id: string; accountId?: string | undefined },
): Promise<Profile | undefined> {
  const ofAccount = accountId === undefined ? sql.fragment`true` : sql.fragment`account_id = ${accountId}`
  const row = await connection.maybeOne(sql.type(ProfileRow)`
    select ${columns} from profiles where id = ${id} and ${ofAccount}`)
  return row ?? undefined
}

const AccountRow = z.strictObject({ policyId: z.number().nullable() })

/**
 * Locks an account until the transaction ends, so that its profiles and its limits change one after the other. Returns its policy; undefined
 * if there is no account.
 */
export async function lockAccountPolicy(
  connection: Connection,
  accountId: string,
): Promise<z.infer<typeof AccountRow> | undefined> {
  const row = await connection.maybeOne(sql.type(AccountRow)`
    select policy_id from users where id = ${accountId} for no key update`)
  return row ?? undefined
}

/** Locks a profile against deletion until the transaction ends. False for a deleted profile. */
export async function lockProfileRow(connection: Connection, id: string): Promise<boolean> {
  return connection.exists(sql.unsafe`select 1 from profiles where id = ${id} for key share`)
}

/** The unique violation is `profiles_name_key`. */
export async function insertProfile(
  connection: Connection,
  row: Pick<
    Profile,
    'accountId' | 'name' | 'isKids' | 'avatar' | 'asksPinForChanges' | 'mayDownload' | 'policyId' | 'effectivePolicyId'
  > & { pinHash: string | null; now: Date },
): Promise<Profile> {
  const now = sql.timestamp(row.now)
  return connection.one(sql.type(ProfileRow)`
    insert into profiles (account_id, name, is_kids, avatar, asks_pin_for_changes, may_download, policy_id, effective_policy_id,
      pin_hash, created_at, updated_at)
    values (${row.accountId}, ${row.name}, ${row.isKids}, ${row.avatar}, ${row.asksPinForChanges}, ${row.mayDownload},
      ${row.policyId}, ${row.effectivePolicyId}, ${row.pinHash}, ${now}, ${now})
    returning ${columns}`)
}

/** Undefined if the profile was deleted. The unique violation is `profiles_name_key`. */
export async function updateProfileRow(
  connection: Connection,
  row: Pick<
    Profile,
    'id' | 'name' | 'isKids' | 'avatar' | 'asksPinForChanges' | 'mayDownload' | 'policyId' | 'effectivePolicyId'
  > & { now: Date },
): Promise<Profile | undefined> {
  const changed = await connection.maybeOne(sql.type(ProfileRow)`
    update profiles set name = ${row.name}, is_kids = ${row.isKids}, avatar = ${row.avatar},
      asks_pin_for_changes = ${row.asksPinForChanges}, may_download = ${row.mayDownload}, policy_id = ${row.policyId},
      effective_policy_id = ${row.effectivePolicyId}, updated_at = ${sql.timestamp(row.now)}
    where id = ${row.id} returning ${columns}`)
  return changed ?? undefined
}

export async function updateEffectivePolicy(
  connection: Connection,
  { id, effectivePolicyId }: Pick<Profile, 'id' | 'effectivePolicyId'>,
): Promise<void> {
  await connection.query(sql.unsafe`
    update profiles set effective_policy_id = ${effectivePolicyId} where id = ${id}`)
}

/** @param row.pinHash null removes the PIN */
export async function updatePinHash(
  connection: Connection,
  row: { id: string; pinHash: string | null; now: Date },
): Promise<Profile | undefined> {
  const changed = await connection.maybeOne(sql.type(ProfileRow)`
    update profiles set pin_hash = ${row.pinHash}, updated_at = ${sql.timestamp(row.now)}
    where id = ${row.id} returning ${columns}`)
  return changed ?? undefined
}

const PinRow = z.strictObject({ pinHash: z.string().nullable() })

/** The hash of the PIN of a profile; null without a PIN, undefined without a profile. */
export async function selectPinHash(connection: Connection, id: string): Promise<string | null | undefined> {
  const row = await connection.maybeOne(sql.type(PinRow)`select pin_hash from profiles where id = ${id}`)
  return row?.pinHash
}

/** Deletes a profile with its sessions and its state of watching. */
export async function deleteProfileRow(connection: Connection, id: string): Promise<void> {
  await connection.query(sql.unsafe`delete from profiles where id = ${id}`)
}
