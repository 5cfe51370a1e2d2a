import type { Connection } from '../platform/database/index.ts'
import { readSettings } from './user-settings.ts'

/** Values of `subtitle_mode` that ask for no subtitles but those that belong to the picture. */
const WITHOUT = new Set(['none', 'off', 'never', 'forced', 'only_forced', 'forced_only', 'onlyforced'])

/**
 * The language in which a user wants subtitles unasked, as a client has set it (`preferred_subtitle_language`); null while none is set,
 * or where `subtitle_mode` says that none are wanted.
 */
export async function readSubtitleLanguage({ db }: { db: Connection }, userId: string): Promise<string | null> {
  const settings = await readSettings({ db }, { userId, name: 'server' })
  const { preferred_subtitle_language: language, subtitle_mode: mode } = settings
  if (typeof mode === 'string' && WITHOUT.has(mode.trim().toLowerCase())) return null
  return typeof language === 'string' && language.trim() !== '' ? language.trim() : null
}
