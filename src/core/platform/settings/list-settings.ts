import { OPTIONS, type Config, type Option } from '../config/index.ts'
import type { Connection } from '../database/index.ts'
import { settingPath } from './change-settings.ts'
import { selectSettings } from './queries.ts'
import { isSetOutsideDatabase, applyDatabaseSettings } from './read-settings.ts'
import { SETTING_PATHS, SETTINGS, type SettingPath, type SettingScope } from './setting-paths.ts'

/** A setting with its effective value and everything that an administrator needs to change it. */
export type Setting = {
  path: SettingPath
  option: Option
  scope: SettingScope
  /** Includes secrets, which the caller must mask. */
  value: string | number | boolean | undefined
  /** As in `Config.origins`. */
  origin: string
  /** Whether the database has a value, even if it has no effect. */
  isStored: boolean
  /** Set by a flag, the environment or the file. */
  isLocked: boolean
}

/** One setting by its name. @throws AppError `setting_unknown` */
export async function findSetting(services: { config: Config; db: Connection }, name: string): Promise<Setting> {
  const path = settingPath(name)
  const setting = (await listSettings(services)).find((one) => one.path === path)
  return setting ?? Promise.reject(new Error(`${path} is not listed`))
}

/** All settings, in the order of the table. */
export async function listSettings({ config, db }: { config: Config; db: Connection }): Promise<Setting[]> {
  const stored = await selectSettings(db)
  const { options, origins } = await applyDatabaseSettings({ config: withoutSettings(config), db })
  return SETTING_PATHS.map((path) => ({
    path,
    option: OPTIONS[path],
    scope: SETTINGS[path],
    value: options[path],
    origin: origins[path],
    isStored: stored.has(path),
    isLocked: isSetOutsideDatabase(config, path),
  }))
}

/** The configuration without values of the database: a setting that was deleted since the start is no longer effective. */
function withoutSettings(config: Config): Config {
  const open = SETTING_PATHS.filter((path) => !isSetOutsideDatabase(config, path))
  return {
    ...config,
    options: { ...config.options, ...Object.fromEntries(open.map((path) => [path, OPTIONS[path].default])) },
    origins: { ...config.origins, ...Object.fromEntries(open.map((path) => [path, 'default'])) },
  }
}
