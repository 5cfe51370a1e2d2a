import { postgresSafeJson } from '../catalogue/index.ts'
import type { Connection, Database } from '../platform/database/index.ts'
import { preferenceErrors } from './errors.ts'
import { lockSettings, selectSettings, upsertUserSettings } from './queries.ts'

/** The owner of the settings: the web interface, one client with its own preferences, or players. */
export type SettingsName = 'server' | 'client' | 'playback'

export type Settings = Record<string, unknown>

/** Enough for some hundred settings, and too little for files. */
const MAX_CHARACTERS = 32_768
const MAX_LEVELS = 32

/** The settings of a profile; initially an empty object. */
export async function readSettings(
  { db }: { db: Connection },
  { profileId, name }: { profileId: string; name: SettingsName },
): Promise<Settings> {
  return (await selectSettings(db, { profileId, name })) ?? {}
}

/**
 * Changes some settings of a profile; absent keys stay, null deletes a key.
 * @throws AppError `invalid_settings` for more than 32,768 characters of JSON or 32 levels
 */
export async function changeSettings(
  { db }: { db: Database },
  { profileId, name, changes }: { profileId: string; name: SettingsName; changes: Settings },
): Promise<void> {
  if (isDeeper(changes, MAX_LEVELS)) throw preferenceErrors.invalid_settings()
  await db.transaction(async (connection) => {
    // Two devices may save concurrently.
    await lockSettings(connection, profileId)
    const before = (await selectSettings(connection, { profileId, name })) ?? {}
    const merged = new Map([...Object.entries(before), ...Object.entries(changes)])
    const text = postgresSafeJson(Object.fromEntries([...merged].filter(([, value]) => value !== null)))
    if (text.length > MAX_CHARACTERS) throw preferenceErrors.invalid_settings()
    await upsertUserSettings(connection, { profileId, name, text })
  })
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}
