import { sql } from 'slonik'
import { z } from 'zod'
import { acquireNamedLock, type Connection } from '../../platform/database/index.ts'

type Which = { pluginName: string; key: string }

const ValueRow = z.strictObject({ value: z.string() })
const BytesRow = z.strictObject({ bytes: z.number() })
const KeyRow = z.strictObject({ key: z.string() })

/** Serialises the writes of a plugin until the transaction ends, so that its limit holds. */
export async function lockValues(connection: Connection, pluginName: string): Promise<void> {
  await acquireNamedLock(connection, `plugin-values:${pluginName}`)
}

export async function selectValue(connection: Connection, { pluginName, key }: Which): Promise<string | undefined> {
  const row = await connection.maybeOne(
    sql.type(ValueRow)`select value from plugin_values where plugin_name = ${pluginName} and key = ${key}`,
  )
  return row?.value
}

export async function storedBytes(
  connection: Connection,
  { pluginName, except }: { pluginName: string; except: string },
): Promise<number> {
  return connection.oneFirst(sql.type(BytesRow)`
    select coalesce(sum(bytes), 0) as bytes from plugin_values
    where plugin_name = ${pluginName} and key <> ${except}`)
}

export async function writeValue(
  connection: Connection,
  { pluginName, key, text, bytes }: Which & { text: string; bytes: number },
): Promise<void> {
  await connection.query(sql.unsafe`
    insert into plugin_values (plugin_name, key, value, bytes) values (${pluginName}, ${key}, ${text}, ${bytes})
    on conflict (plugin_name, key) do update set value = excluded.value, bytes = excluded.bytes`)
}

export async function deleteValue(connection: Connection, { pluginName, key }: Which): Promise<void> {
  await connection.query(sql.unsafe`delete from plugin_values where plugin_name = ${pluginName} and key = ${key}`)
}

export async function selectKeys(connection: Connection, pluginName: string): Promise<readonly string[]> {
  return connection.anyFirst(
    sql.type(KeyRow)`select key from plugin_values where plugin_name = ${pluginName} order by key`,
  )
}
