import type { KeyCheck } from '../../../core/metadata/index.ts'
import { SECRET_MASK, type Setting } from '../../../core/platform/settings/index.ts'

/** What a client calls the type of an option. */
const TYPES = { text: 'string', integer: 'int', boolean: 'bool' } as const

type Settings = readonly Setting[]

/** All settings with what a form needs to show them (client facts 6.5). */
export function serverSettingsView(settings: Settings) {
  return {
    ...changedSettingsView(settings),
    types: byPath(settings, ({ option }) => TYPES[option.type]),
    meta: byPath(settings, metaView),
    // Existing clients show as many dots as the secret has characters. Only administrators get this reply.
    secretStatus: byPath(
      settings.filter(({ option }) => option.secret),
      ({ value }) => ({ set: isSet(value), length: isSet(value) ? String(value).length : 0 }),
    ),
  }
}

/** `overridden`: what the database says and is heeded. */
export function changedSettingsView(settings: Settings) {
  return {
    settings: byPath(settings, valueView),
    overridden: settings.filter(({ isStored, isLocked }) => isStored && !isLocked).map(({ path }) => path),
  }
}

function valueView(setting: Setting): unknown {
  if (!setting.option.secret) return setting.value ?? null
  return isSet(setting.value) ? SECRET_MASK : null
}

function isSet(value: Setting['value']): boolean {
  return value !== undefined && value !== ''
}

/** `origin` is `default`, `database`, `file PATH`, `environment NAME` or `flag`; what is `locked` cannot be changed here. */
function metaView({ path, option, scope, origin, isLocked }: Setting) {
  return {
    group: groupOf(path),
    description: option.doc,
    default: option.default ?? null,
    secret: option.secret,
    restart_required: scope === 'restart',
    origin,
    locked: isLocked,
    ...(option.type === 'integer' && { min: option.min, max: option.max }),
    ...(option.type === 'text' && option.choices !== undefined && { choices: option.choices }),
  }
}

/** The section of the form that shows an option: the first word of its path. */
function groupOf(path: string): string {
  return path.split('.')[0] ?? path
}

function byPath(settings: Settings, view: (setting: Setting) => unknown): Record<string, unknown> {
  return Object.fromEntries(settings.map((setting) => [setting.path, view(setting)]))
}

/** A provider that is away says nothing of its key, which is set all the same. */
export function keyWarnings(checks: readonly KeyCheck[]): string[] {
  return checks.flatMap(({ path, problem }) => (problem === null ? [] : [`${path} was not tried: ${problem}`]))
}
