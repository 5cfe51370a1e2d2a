import { compareVersions, VERSION_PATTERN } from '../../platform/config/index.ts'
import { z } from 'zod'
import { JsonSizeCheck } from '../../platform/json/index.ts'
import { pluginErrors } from '../errors.ts'
import { NAME_PATTERN } from '../manifest/manifest.ts'
import { CHANNELS, type Catalogue, type CatalogueEntry, type CatalogueVersion } from './catalogue.ts'

const SCHEMA_VERSION = 1
const MAX_PLUGINS = 1000
const MAX_VERSIONS = 50
const MAX_TAGS = 20
const MAX_URL = 2000

/** The versions of an entry are at the fifth level of an index; newer releases may add some. */
const MAX_LEVELS = 16
/** 1,000 plugins with 50 versions each have fewer if they fit into an index of 2 MiB: each version then has only two fields. */
const MAX_KEYS_AND_VALUES = 300_000

const shortText = (characters: number) =>
  z
    .string()
    .transform((text) => text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, characters))
    .catch('')

const VersionSchema = z.object({
  version: z.string().regex(VERSION_PATTERN),
  url: z.string().max(MAX_URL),
  sha256: z
    .string()
    .regex(/^[0-9A-Fa-f]{64}$/)
    .transform((text) => text.toLowerCase())
    .nullish(),
  channel: z.enum(CHANNELS).default('stable'),
  phlix_min_server_version: z.string().regex(VERSION_PATTERN).nullish(),
})

const EntrySchema = z.object({
  name: z.string().max(64).regex(NAME_PATTERN),
  title: shortText(200),
  type: shortText(64),
  summary: shortText(500),
  description: shortText(5000),
  author: shortText(200),
  tags: z.array(shortText(64)).max(MAX_TAGS).catch([]),
  repo: z.string().max(MAX_URL).nullish(),
  key: z.string().max(100).nullish(),
  versions: z.array(z.unknown()).max(MAX_VERSIONS).default([]),
})

const IndexSchema = z.object({
  schemaVersion: z.literal(SCHEMA_VERSION),
  name: shortText(200),
  plugins: z.array(z.unknown()).max(MAX_PLUGINS),
})

/**
 * Reads an index file: `{schemaVersion: 1, name, plugins: [{name, title, type, summary, description, author, tags, repo, key, versions:
 * [{version, url, sha256, channel, phlix_min_server_version}]}]}`. Entries and versions of another form are left out, because a newer
 * release may understand them, and so are versions that nothing pins.
 * @param input.url address of the index; addresses in it may be relative to it
 * @throws AppError `plugin_catalogue_failed` if it is no index, has too many levels or values, or lists a plugin or a version twice
 */
export function readCatalogue(bytes: Uint8Array, { url }: { url: string }): Catalogue {
  const parsed = IndexSchema.safeParse(parseText(bytes))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw invalidCatalogueError(`it is not an index of plugins: ${issue?.path.join('.') || 'it'}: ${issue?.message}`)
  }
  const entries = parsed.data.plugins.flatMap((value) => readEntry(value, url))
  refuseRepeated(
    entries.map(({ name }) => name),
    'the plugin',
  )
  return { name: parsed.data.name, entries }
}

function readEntry(value: unknown, base: string): CatalogueEntry[] {
  const parsed = EntrySchema.safeParse(value)
  if (!parsed.success) return []
  const { repo, key = null, versions, ...texts } = parsed.data
  const read = versions.flatMap((version) => readVersion(version, { base, key }))
  refuseRepeated(
    read.map(({ version }) => version),
    `the version of ${texts.name}`,
  )
  const repository = repo === undefined || repo === null ? null : readAddress(repo, base)
  return [{ ...texts, key, repository, versions: read.toSorted((a, b) => compareVersions(b.version, a.version)) }]
}

function readVersion(value: unknown, { base, key }: { base: string; key: string | null }): CatalogueVersion[] {
  const parsed = VersionSchema.safeParse(value)
  if (!parsed.success) return []
  const { version, sha256 = null, channel, phlix_min_server_version: minimumServerVersion = null } = parsed.data
  const url = readAddress(parsed.data.url, base)
  if (url === null || (sha256 === null && key === null)) return []
  return [{ version, url, sha256, channel: version.includes('-') ? 'dev' : channel, minimumServerVersion }]
}

/** Only https, or a file beside an index that is a file: an index of the network cannot refer to files of this machine. */
function readAddress(text: string, base: string): string | null {
  const url = URL.parse(text, base)
  if (url === null || url.username !== '' || url.password !== '') return null
  return url.protocol === 'https:' || (url.protocol === 'file:' && base.startsWith('file:')) ? url.href : null
}

/** Which of two would count must not depend on their order. */
function refuseRepeated(names: readonly string[], what: string): void {
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated !== undefined) throw invalidCatalogueError(`it lists ${what} ${repeated} twice`)
}

function parseText(bytes: Uint8Array): unknown {
  const size = new JsonSizeCheck({ maxLevels: MAX_LEVELS, maxKeysAndValues: MAX_KEYS_AND_VALUES })
  if (!size.accepts(bytes)) {
    throw invalidCatalogueError(`it has more than ${MAX_LEVELS} levels or ${MAX_KEYS_AND_VALUES} keys and values`)
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw invalidCatalogueError('it is not JSON', error)
  }
}

function invalidCatalogueError(message: string, cause?: unknown): Error {
  return pluginErrors.plugin_catalogue_failed({ message, cause })
}
