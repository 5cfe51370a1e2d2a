import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../database/index.ts'

const ExistsRow = z.strictObject({ exists: z.boolean() })

const SettingRow = z.strictObject({ name: z.string(), value: z.unknown() })

/** All stored settings, by name. */
export async function selectSettings(connection: Connection): Promise<Map<string, unknown>> {
  const rows = await connection.any(sql.type(SettingRow)`select name, value from settings`)
  return new Map(rows.map(({ name, value }) => [name, value]))
}

/** One value; undefined when it is not stored. */
export async function selectSetting(connection: Connection, name: string): Promise<unknown> {
  const row = await connection.maybeOne(sql.type(SettingRow)`select name, value from settings where name = ${name}`)
  return row?.value
}

/** False before the migration that creates the table: an older database has no settings. */
export async function hasSettingsTable(connection: Connection): Promise<boolean> {
  return connection.oneFirst(sql.type(ExistsRow)`
    select to_regclass('settings') is not null as exists`)
}

export async function upsertSettings(
  connection: Connection,
  { values, now }: { values: ReadonlyMap<string, unknown>; now: Date },
): Promise<void> {
  const rows = [...values].map(([name, value]) => [name, JSON.stringify(value)])
  await connection.query(sql.unsafe`
    insert into settings (name, value, updated_at)
    select v.name, v.value, ${sql.timestamp(now)} from ${sql.unnest(rows, ['text', 'jsonb'])} as v (name, value)
    on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at`)
}

export async function deleteSettings(connection: Connection, names: readonly string[]): Promise<void> {
  await connection.query(sql.unsafe`delete from settings where name = any (${sql.array([...names], 'text')})`)
}
