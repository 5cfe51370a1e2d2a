import { createHash } from 'node:crypto'
import { z } from 'zod'
import { compareVersions, VERSION_PATTERN } from '../../platform/config/index.ts'
import { pluginErrors } from '../errors.ts'
import { HOOK_EVENTS, readEventName, type HookEventName } from './hook-events.ts'
import { SettingSchema, type SettingDeclarations } from './plugin-settings.ts'
import { PLUGIN_TYPES, type PluginType } from './plugin-types.ts'

/** The content of `plugin.json`. */
export type Manifest = {
  name: string
  version: string
  minimumServerVersion: string
  type: PluginType
  /** Path of the module, relative to the plugin's folder. */
  entry: string
  events: readonly HookEventName[]
  settings: SettingDeclarations
  permissions: Permissions
}

/** What the administrator grants when a plugin is installed. */
export type Permissions = {
  /** Host names that `http.request` may ask, each with an optional port; `*` for any host. */
  hosts: readonly string[]
  /** These hosts may be on this machine or in a private network. */
  isPrivateNetworkAllowed: boolean
  /** Events carry user names, e-mail addresses and network addresses. */
  areUserDetailsAllowed: boolean
  /** Events are stored until they are delivered. */
  isDurable: boolean
}

export const NAME_PATTERN = /^phlix-plugin-[a-z0-9]+(?:-[a-z0-9]+)*$/
const MAX_NAME_CHARACTERS = 64
const ENTRY_PATTERN = /^(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*\/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*\.(?:js|mjs|ts|mts)$/
const SETTING_NAME_PATTERN = /^[A-Za-z][A-Za-z0-9_]{0,63}$/
const HOST_PATTERN =
  /^(?:\*|(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?::\d{1,5})?)$/
const MAX_HOSTS = 32
const MAX_SETTINGS = 64

/** The interface between server and plugin. */
const API_VERSION = 1

const eventName = z.string().transform((text, context) => {
  const name = readEventName(text)
  if (name !== undefined) return name
  context.addIssue(`unknown event; known are ${HOOK_EVENTS.join(', ')}`)
  return z.NEVER
})

const ManifestSchema = z.object({
  name: z
    .string()
    .max(MAX_NAME_CHARACTERS)
    .regex(NAME_PATTERN, 'must be phlix-plugin- and lower-case words with hyphens'),
  version: z.string().regex(VERSION_PATTERN, 'must be MAJOR.MINOR.PATCH'),
  phlix_min_server_version: z.string().regex(VERSION_PATTERN, 'must be MAJOR.MINOR.PATCH'),
  api: z.literal(API_VERSION).default(API_VERSION),
  type: z.enum(PLUGIN_TYPES),
  entry: z.string().max(200).regex(ENTRY_PATTERN, 'must be the path of a .js, .mjs, .ts or .mts file of the archive'),
  events: z.array(eventName).max(HOOK_EVENTS.length).default([]),
  settings: z
    .record(z.string().regex(SETTING_NAME_PATTERN), SettingSchema)
    .refine((settings) => Object.keys(settings).length <= MAX_SETTINGS, `at most ${MAX_SETTINGS} settings`)
    .default({}),
  permissions: z
    .strictObject({
      hosts: z.array(z.string().regex(HOST_PATTERN)).max(MAX_HOSTS).default([]),
      private_network: z.boolean().default(false),
      user_details: z.boolean().default(false),
      durable: z.boolean().default(false),
    })
    .default({ hosts: [], private_network: false, user_details: false, durable: false }),
  signature: z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/)
    .nullish(),
})

/** Types whose events may be stored until they are delivered. */
const DURABLE_TYPES: ReadonlySet<PluginType> = new Set(['notifier', 'scrobbler'])

/**
 * Reads and checks the text of `plugin.json`.
 * @param text.serverVersion of this release
 * @throws AppError `plugin.install.failed` with the first broken rules
 */
export function readManifest(text: string, { serverVersion }: { serverVersion: string }): Manifest {
  const value = parseObject(text)
  const parsed = ManifestSchema.safeParse(value)
  if (!parsed.success) {
    const reasons = parsed.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`)
    throw invalidManifestError(`plugin.json is invalid: ${reasons.join('; ')}`)
  }
  const { signature, permissions, phlix_min_server_version: minimumServerVersion, ...manifest } = parsed.data
  if (signature !== undefined && signature !== null && signature !== `sha256:${manifestHash(value)}`) {
    throw invalidManifestError('the signature of plugin.json is not the SHA-256 of its other fields')
  }
  if (compareVersions(minimumServerVersion, serverVersion) > 0) {
    throw invalidManifestError(`it needs Phlix ${minimumServerVersion}; this is ${serverVersion}`)
  }
  if (permissions.durable && !DURABLE_TYPES.has(manifest.type)) {
    throw invalidManifestError('only a notifier or a scrobbler may ask for durable events')
  }
  const { name, version, type, entry, events, settings } = manifest
  return {
    name,
    version,
    minimumServerVersion,
    type,
    entry,
    events: [...new Set(events)],
    settings,
    permissions: {
      hosts: permissions.hosts,
      isPrivateNetworkAllowed: permissions.private_network,
      areUserDetailsAllowed: permissions.user_details,
      isDurable: permissions.durable,
    },
  }
}

/** SHA-256 of the manifest as JSON without white space and without `signature`. */
export function manifestHash(value: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(value).filter(([name]) => name !== 'signature')
  return createHash('sha256')
    .update(JSON.stringify(Object.fromEntries(fields)))
    .digest('hex')
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // The message is the same for text that is no JSON.
  }
  throw invalidManifestError('plugin.json is not a JSON object')
}

function invalidManifestError(message: string): Error {
  return pluginErrors.plugin_install_failed({ message })
}
