import type { KeyCheck } from '../../../core/metadata/index.ts'
import type { Setting } from '../../../core/platform/settings/index.ts'
import { settingView } from '../../../core/views/index.ts'

/** The clients' names of option types. */
const TYPES = { text: 'string', integer: 'int', boolean: 'bool' } as const

type Settings = readonly Setting[]

/** All settings, with the data that a settings page needs. */
export function serverSettingsView(settings: Settings) {
  return {
    ...changedSettingsView(settings),
    types: byPath(settings, ({ option }) => TYPES[option.type]),
    meta: byPath(settings, metaView),
    // Existing clients show one dot per character of the secret. Only administrators get this reply.
    secretStatus: byPath(
      settings.filter(({ option }) => option.secret),
      ({ value }) => ({ set: isSet(value), length: isSet(value) ? String(value).length : 0 }),
    ),
  }
}

/** `overridden` (the name is fixed by clients): settings whose database value overrides the default. */
export function changedSettingsView(settings: Settings) {
  return {
    settings: byPath(settings, (setting) => settingView(setting).value),
    overridden: settings.filter(({ isStored, isLocked }) => isStored && !isLocked).map(({ path }) => path),
  }
}

function isSet(value: Setting['value']): boolean {
  return value !== undefined && value !== ''
}

/** A `locked` setting cannot be changed here. */
function metaView(setting: Setting) {
  const { path, option, isLocked } = setting
  const { origin, restart_required } = settingView(setting)
  return {
    group: groupOf(path),
    description: option.doc,
    default: option.default ?? null,
    secret: option.secret,
    restart_required,
    origin,
    locked: isLocked,
    ...(option.type === 'integer' && { min: option.min, max: option.max }),
    ...(option.type === 'text' && option.choices !== undefined && { choices: option.choices }),
  }
}

/** The form section of an option: the first segment of its path. */
function groupOf(path: string): string {
  return path.split('.')[0] ?? path
}

function byPath(settings: Settings, view: (setting: Setting) => unknown): Record<string, unknown> {
  return Object.fromEntries(settings.map((setting) => [setting.path, view(setting)]))
}

/** Warnings for keys that could not be checked, because the provider did not respond. They are stored anyway. */
export function keyWarnings(checks: readonly KeyCheck[]): string[] {
  return checks.flatMap(({ path, problem }) => (problem === null ? [] : [`${path} was not tried: ${problem}`]))
}
