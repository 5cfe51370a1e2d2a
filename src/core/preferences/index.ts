export { readSubtitleLanguage } from './subtitle-language.ts'
export { changePreferences, readPreferences } from './preferences.ts'
