import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../platform/database/index.ts'

type Key = { userId: string; name: string }

const SettingsRow = z.strictObject({ settings: z.record(z.string(), z.unknown()) })

/** Concurrent changes of the settings of this user wait until the transaction ends. */
export async function lockSettings(connection: Connection, userId: string): Promise<void> {
  await connection.query(sql.unsafe`select from users where id = ${userId} for no key update`)
}

export async function selectSettings(
  connection: Connection,
  { userId, name }: Key,
): Promise<Record<string, unknown> | undefined> {
  const row = await connection.maybeOne(sql.type(SettingsRow)`
    select settings from user_settings where user_id = ${userId} and name = ${name}`)
  return row?.settings
}

export async function upsertUserSettings(
  connection: Connection,
  { userId, name, text }: Key & { text: string },
): Promise<void> {
  await connection.query(sql.unsafe`
    insert into user_settings (user_id, name, settings) values (${userId}, ${name}, ${text}::jsonb)
    on conflict (user_id, name) do update set settings = excluded.settings`)
}
