import { z } from 'zod'
import type { Database } from '../../platform/database/index.ts'
import { deleteValue, lockValues, selectKeys, selectValue, storedBytes, writeValue } from './queries.ts'

const MAX_BYTES = 10 * 1024 * 1024
const MAX_KEY_CHARACTERS = 256

const Key = z.strictObject({
  key: z
    .string()
    .min(1)
    .max(MAX_KEY_CHARACTERS)
    .regex(/^\P{Cc}+$/u),
})
const KeyAndValue = z.strictObject({ ...Key.shape, value: z.unknown() })

/** The values that one plugin keeps: 10 MiB as JSON. */
export function createStoredValues({ db, pluginName }: { db: Database; pluginName: string }) {
  return {
    async get(params: unknown): Promise<unknown> {
      const text = await selectValue(db, { pluginName, key: Key.parse(params).key })
      return text === undefined ? null : JSON.parse(text)
    },
    async set(params: unknown): Promise<void> {
      const { key, value } = KeyAndValue.parse(params)
      if (value === undefined) throw new Error('a value is missing')
      // It was read from JSON, so that this is its text.
      const text = JSON.stringify(value)
      const bytes = Buffer.byteLength(text) + Buffer.byteLength(key)
      await db.transaction(async (connection) => {
        await lockValues(connection, pluginName)
        const others = await storedBytes(connection, { pluginName, except: key })
        if (others + bytes > MAX_BYTES) throw new Error(`a plugin stores at most ${MAX_BYTES} bytes`)
        await writeValue(connection, { pluginName, key, text, bytes })
      })
    },
    async delete(params: unknown): Promise<void> {
      await deleteValue(db, { pluginName, key: Key.parse(params).key })
    },
    async list(): Promise<readonly string[]> {
      return selectKeys(db, pluginName)
    },
  }
}
