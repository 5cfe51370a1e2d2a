export { changeSettings, readSettings } from './user-settings.ts'
