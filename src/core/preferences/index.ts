export { readSubtitleLanguage } from './subtitle-language.ts'
export { changeSettings, readSettings } from './user-settings.ts'
