import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../platform/database/index.ts'

type Key = { profileId: string; name: string }

const PreferencesRow = z.strictObject({ settings: z.record(z.string(), z.unknown()) })

/** Concurrent changes of the preferences of this profile wait until the transaction ends. */
export async function lockPreferences(connection: Connection, profileId: string): Promise<void> {
  await connection.query(sql.unsafe`select from profiles where id = ${profileId} for no key update`)
}

export async function selectPreferences(
  connection: Connection,
  { profileId, name }: Key,
): Promise<Record<string, unknown> | undefined> {
  const row = await connection.maybeOne(sql.type(PreferencesRow)`
    select settings from user_settings where profile_id = ${profileId} and name = ${name}`)
  return row?.settings
}

export async function upsertPreferences(
  connection: Connection,
  { profileId, name, text }: Key & { text: string },
): Promise<void> {
  await connection.query(sql.unsafe`
    insert into user_settings (profile_id, name, settings) values (${profileId}, ${name}, ${text}::jsonb)
    on conflict (profile_id, name) do update set settings = excluded.settings`)
}
