import {
  localSignInProblem,
  findNearestName,
  OPTIONS,
  parseTextValue,
  parseTypedValue,
  type Config,
  type OptionPath,
  type ParsedValue,
} from '../config/index.ts'
import type { Database } from '../database/index.ts'
import type { Clock } from '../time/index.ts'
import { settingErrors } from './errors.ts'
import { deleteSettings, upsertSettings } from './queries.ts'
import { isSetOutsideDatabase } from './read-settings.ts'
import { isSettingPath, SETTING_PATHS, type SettingPath } from './setting-paths.ts'

/** More names than this are a list, which `config:show` prints. */
const MAX_NAMED = 8

type Dependencies = { config: Config; db: Database; clock: Clock }

/**
 * Writes settings to the database, all or none; null deletes a setting.
 * @param changes typed values by name, as in JSON
 * @throws AppError `setting_unknown`, `setting_invalid`, `setting_locked`
 */
export async function changeSettings(
  { config, db, clock }: Dependencies,
  changes: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { values, deleted } = readChanges(config, changes)
  await db.transaction(async (connection) => {
    if (deleted.length > 0) await deleteSettings(connection, deleted)
    if (values.size > 0) await upsertSettings(connection, { values, now: clock.now() })
  })
}

/**
 * Validates changes without writing them.
 * @throws the errors of `changeSettings`
 */
export function checkSettings({ config }: { config: Config }, changes: Readonly<Record<string, unknown>>): void {
  readChanges(config, changes)
}

function readChanges(
  config: Config,
  changes: Readonly<Record<string, unknown>>,
): { values: Map<SettingPath, unknown>; deleted: SettingPath[] } {
  const values = new Map<SettingPath, unknown>()
  const deleted: SettingPath[] = []
  for (const [name, value] of Object.entries(changes)) {
    const path = settingPath(name)
    if (value === null) deleted.push(path)
    else values.set(path, checked(config, path, parseTypedValue(OPTIONS[path], value)))
  }
  return { values, deleted }
}

/**
 * Parses the text of a value as in the environment: `on`, `20`.
 * @throws AppError `setting_unknown`, `setting_invalid`, `setting_locked`
 */
export function parseSetting({ config }: { config: Config }, { name, text }: { name: string; text: string }): unknown {
  const path = settingPath(name)
  return checked(config, path, parseTextValue(OPTIONS[path], text))
}

/** @throws AppError `setting_unknown`, with the most similar name */
export function settingPath(name: string): SettingPath {
  if (isSettingPath(name)) return name
  if (Object.hasOwn(OPTIONS, name)) {
    const hint = [elsewhere(name as OptionPath), settingsBelow(name)].join('; ')
    throw settingErrors.setting_unknown({ message: `${name} can only be set by file, environment or flag`, hint })
  }
  const near = findNearestName(name, SETTING_PATHS)
  const meant = near === undefined ? '' : ` (did you mean ${near}?)`
  const hint = settingsBelow(name)
  throw settingErrors.setting_unknown({ message: `${name.slice(0, 200)} is not a setting${meant}`, hint })
}

/** Where an option that is no setting is set. */
function elsewhere(path: OptionPath): string {
  const [section, key] = [path.slice(0, path.lastIndexOf('.')), path.slice(path.lastIndexOf('.') + 1)]
  const ofFile = `${key} in [${section}] of config.toml`
  const [variable] = OPTIONS[path].env
  return variable === undefined ? `set ${ofFile}` : `set ${variable}, or ${ofFile}`
}

/** The settings that begin like a name. */
function settingsBelow(name: string): string {
  const prefix = name.slice(0, name.indexOf('.') + 1)
  const paths = prefix === '' ? [] : SETTING_PATHS.filter((path) => path.startsWith(prefix))
  if (paths.length === 0 || paths.length > MAX_NAMED) return 'phlix config:show lists the settings'
  return `settings below ${prefix.slice(0, -1)}: ${paths.join(', ')}`
}

function checked(config: Config, path: SettingPath, parsed: ParsedValue): unknown {
  if ('problem' in parsed) throw settingErrors.setting_invalid({ message: `${path} ${parsed.problem}` })
  if (path === 'accounts.local_sign_in' && parsed.value === false) {
    const problem = localSignInProblem(config.options)
    if (problem !== undefined) throw settingErrors.setting_invalid({ message: `${path} ${problem}` })
  }
  if (!isSetOutsideDatabase(config, path)) return parsed.value
  throw settingErrors.setting_locked({ message: `${path} is set by ${config.origins[path]}, which comes before` })
}
