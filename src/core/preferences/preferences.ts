import { postgresSafeJson } from '../catalogue/index.ts'
import type { Connection, Database } from '../platform/database/index.ts'
import { preferenceErrors } from './errors.ts'
import { lockPreferences, selectPreferences, upsertPreferences } from './queries.ts'

/** The client of the preferences: the web interface, one client with its own preferences, or players. */
export type PreferencesName = 'server' | 'client' | 'playback'

export type Preferences = Record<string, unknown>

/** Enough for some hundred preferences, and too little for files. */
const MAX_CHARACTERS = 32_768
const MAX_LEVELS = 32

/** The preferences of a profile; initially an empty object. */
export async function readPreferences(
  { db }: { db: Connection },
  { profileId, name }: { profileId: string; name: PreferencesName },
): Promise<Preferences> {
  return (await selectPreferences(db, { profileId, name })) ?? {}
}

/**
 * Changes some preferences of a profile; absent keys stay, null deletes a key.
 * @throws AppError `invalid_settings` for more than 32,768 characters of JSON or 32 levels
 */
export async function changePreferences(
  { db }: { db: Database },
  { profileId, name, changes }: { profileId: string; name: PreferencesName; changes: Preferences },
): Promise<void> {
  if (isDeeper(changes, MAX_LEVELS)) throw preferenceErrors.invalid_settings()
  await db.transaction(async (connection) => {
    // Two devices may save concurrently.
    await lockPreferences(connection, profileId)
    const before = (await selectPreferences(connection, { profileId, name })) ?? {}
    const merged = new Map([...Object.entries(before), ...Object.entries(changes)])
    const text = postgresSafeJson(Object.fromEntries([...merged].filter(([, value]) => value !== null)))
    if (text.length > MAX_CHARACTERS) throw preferenceErrors.invalid_settings()
    await upsertPreferences(connection, { profileId, name, text })
  })
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}
