import type { Connection } from '../platform/database/index.ts'
import { readPreferences } from './preferences.ts'

/** Values of `subtitle_mode` that disable subtitles except forced ones. */
const DISABLING_MODES = new Set(['none', 'off', 'never', 'forced', 'only_forced', 'forced_only', 'onlyforced'])

/**
 * The language of the subtitles that are selected by default for a profile (`preferred_subtitle_language`); null if none is set, or if
 * `subtitle_mode` disables them.
 */
export async function readSubtitleLanguage({ db }: { db: Connection }, profileId: string): Promise<string | null> {
  const settings = await readPreferences({ db }, { profileId, name: 'server' })
  const { preferred_subtitle_language: language, subtitle_mode: mode } = settings
  if (typeof mode === 'string' && DISABLING_MODES.has(mode.trim().toLowerCase())) return null
  return typeof language === 'string' && language.trim() !== '' ? language.trim() : null
}
