import { OPTIONS, parseTypedValue, type Config, type OptionValues } from '../config/index.ts'
import type { Connection } from '../database/index.ts'
import { selectSetting, hasSettingsTable, selectSettings } from './queries.ts'
import { isSettingPath, type LiveSettingPath, type SettingPath } from './setting-paths.ts'

/** The origin of values of the database in `Config.origins`. */
const ORIGIN = 'database'

type Dependencies = { config: Config; db: Connection }

/**
 * Adds the settings of the database to the configuration. They take precedence over defaults, but not over flags, environment and file.
 * Values that are not valid for their option (a release may restrict it) are ignored, and so is a database without the table.
 */
export async function applyDatabaseSettings({ config, db }: Dependencies): Promise<Config> {
  if (!(await hasSettingsTable(db))) return config
  const values: Record<string, unknown> = { ...config.options }
  const origins: Record<string, string> = { ...config.origins }
  for (const [path, value] of await selectSettings(db)) {
    if (
      !isSettingPath(path) ||
      isSetOutsideDatabase(config, path) ||
      'problem' in parseTypedValue(OPTIONS[path], value)
    )
      continue
    values[path] = value
    origins[path] = ORIGIN
  }
  return Object.freeze({
    ...config,
    options: Object.freeze(values) as OptionValues,
    origins: Object.freeze(origins) as Config['origins'],
  })
}

/** The current value of a setting, including changes since the process started. */
export async function readSetting<Path extends LiveSettingPath>(
  { config, db }: Dependencies,
  path: Path,
): Promise<OptionValues[Path]> {
  if (isSetOutsideDatabase(config, path)) return config.options[path]
  const parsed = parseTypedValue(OPTIONS[path], await selectSetting(db, path))
  return ('problem' in parsed ? OPTIONS[path].default : parsed.value) as OptionValues[Path]
}

/** Whether a flag, the environment or the file sets the option; then a setting has no effect. */
export function isSetOutsideDatabase({ origins }: Pick<Config, 'origins'>, path: SettingPath): boolean {
  return origins[path] !== 'default' && origins[path] !== ORIGIN
}
