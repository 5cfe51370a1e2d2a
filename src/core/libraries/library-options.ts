import { isJsonObject } from '../platform/json/index.ts'
import type { LibraryOptions } from './library.ts'
import { libraryErrors } from './errors.ts'
import { isTimeZone } from './time-zone.ts'

/** The options in a request, not validated: the object of options, and the options that clients send as separate fields. */
export type LibraryOptionsInput = {
  options?: unknown
  autoCollections?: unknown
  /** Boolean: each folder of a series library is one series. */
  seriesPerDirectory?: unknown
  /** Order of the providers by kind of item: `{movie: ['tmdb', …]}`; null removes the option. */
  metadataPriority?: unknown
  /** Enabled kinds of pictures: a list or a map; null removes the option. */
  imageTypes?: unknown
}

/** Maximum number of entries in a list or map of a client, ten times the number of known names. */
const MAX_ENTRIES = 100

/**
 * Merges the options of a request with the stored options, which they replace. `autoCollections` is read from the top level of the body or
 * from the options, as a boolean or as `{enabled}`, and stored as `{enabled}`. The other options of a fixed type are read in the same way,
 * under their names in the API. The top level takes precedence; null removes an option.
 * @throws AppError `invalid_options`
 */
export function mergeLibraryOptions(stored: LibraryOptions, given: LibraryOptionsInput): LibraryOptions {
  const options = given.options ?? {}
  if (!isJsonObject(options)) throw invalid('options must be an object')
  const merged: LibraryOptions = { ...stored, ...options }
  const autoCollections = given.autoCollections ?? options['autoCollections'] ?? stored['autoCollections']
  if (autoCollections === undefined) delete merged['autoCollections']
  else merged['autoCollections'] = normaliseAutoCollections(autoCollections)
  for (const [name, { read, check }] of Object.entries(TYPED_OPTIONS)) {
    const value = read(given) === undefined ? options[name] : read(given)
    if (value === undefined) continue
    if (value === null) delete merged[name]
    else merged[name] = check(value)
  }
  checkStorable(merged)
  return merged
}

/** The effective value for scans; enabled by default. */
export function effectiveAutoCollections(options: LibraryOptions): { enabled: boolean } {
  const stored = options['autoCollections']
  return { enabled: isJsonObject(stored) && typeof stored['enabled'] === 'boolean' ? stored['enabled'] : true }
}

/** Whether items that a scan has added are matched automatically; true by default. */
export function matchesAfterScan({ options }: { options: LibraryOptions }): boolean {
  return options['match_after_scan'] !== false
}

/** Whether new films are searched for intros and credits after a scan; false by default. */
export function analysesMarkersAfterScan({ options }: { options: LibraryOptions }): boolean {
  return options['markers'] === true
}

/** Whether pictures of the time line are made of new films after a scan; false by default. */
export function makesTrickplayAfterScan({ options }: { options: LibraryOptions }): boolean {
  return options['trickplay'] === true
}

type TypedOption = { read: (given: LibraryOptionsInput) => unknown; check: (value: unknown) => unknown }

/** The options of a fixed type, by their key in the HTTP API and in the stored options. */
const TYPED_OPTIONS: Readonly<Record<string, TypedOption>> = {
  series_per_directory: { read: (given) => given.seriesPerDirectory, check: checkBoolean('series_per_directory') },
  metadata_priority: { read: (given) => given.metadataPriority, check: checkMetadataPriority },
  image_types: { read: (given) => given.imageTypes, check: checkImageTypes },
  /** Read only from the options; clients have no field for it. */
  time_zone: { read: () => undefined, check: checkTimeZone },
  /** Read only from the options. */
  match_after_scan: { read: () => undefined, check: checkBoolean('match_after_scan') },
  /** Read only from the options. */
  markers: { read: () => undefined, check: checkBoolean('markers') },
  /** Read only from the options. */
  trickplay: { read: () => undefined, check: checkBoolean('trickplay') },
}

function normaliseAutoCollections(value: unknown): { enabled: boolean } {
  if (typeof value === 'boolean') return { enabled: value }
  if (isJsonObject(value) && typeof value['enabled'] === 'boolean') return { enabled: value['enabled'] }
  throw invalid('autoCollections must be a boolean or {"enabled": boolean}')
}

function checkMetadataPriority(value: unknown): unknown {
  if (isJsonObject(value) && isShort(Object.keys(value)) && Object.values(value).every(isNameList)) return value
  throw invalid('metadata_priority must map types to lists of source names')
}

function checkImageTypes(value: unknown): unknown {
  if (isNameList(value) || (isJsonObject(value) && isShort(Object.keys(value)))) return value
  throw invalid('image_types must be a list of names or a map')
}

function checkBoolean(name: string): (value: unknown) => boolean {
  return (value) => {
    if (typeof value === 'boolean') return value
    throw invalid(`${name} must be a boolean`)
  }
}

function checkTimeZone(value: unknown): string {
  if (isTimeZone(value)) return value
  throw invalid('time_zone must be the name of a time zone, as Europe/Berlin')
}

function isNameList(value: unknown): boolean {
  return Array.isArray(value) && isShort(value) && value.every((name) => typeof name === 'string' && name !== '')
}

function isShort(entries: readonly unknown[]): boolean {
  return entries.length <= MAX_ENTRIES
}

/** PostgreSQL's jsonb accepts neither U+0000 nor unpaired surrogates; JSON.stringify fails at extreme nesting. */
function checkStorable(options: LibraryOptions): void {
  try {
    JSON.stringify(options, (key: string, value: unknown) => {
      const texts = typeof value === 'string' ? [key, value] : [key]
      if (texts.some((text) => text.includes('\0') || !text.isWellFormed())) throw new RangeError('text')
      return value
    })
  } catch (error) {
    throw invalid('options hold text or nesting that cannot be stored', error)
  }
}

function invalid(message: string, cause?: unknown): Error {
  return libraryErrors.invalid_options({ message, cause })
}
