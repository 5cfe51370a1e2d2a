import { libraryErrors } from './errors.ts'

/** What an administrator set for one library; keys that this release does not know are kept. */
export type LibraryOptions = Record<string, unknown>

/**
 * Merges the options of a request over the stored ones. `autoCollections` is read from the top level of the body or from the
 * options, as a boolean or as `{enabled}`, and stored as `{enabled}` (document 1, Library). The top level wins.
 * @throws AppError `invalid_options`
 */
export function mergeOptions(
  stored: LibraryOptions,
  given: { options?: unknown; autoCollections?: unknown },
): LibraryOptions {
  const options = given.options ?? {}
  if (!isPlainObject(options)) throw libraryErrors.invalid_options({ message: 'options must be an object' })
  const merged: LibraryOptions = { ...stored, ...options }
  const autoCollections = given.autoCollections ?? options['autoCollections'] ?? stored['autoCollections']
  if (autoCollections === undefined) delete merged['autoCollections']
  else merged['autoCollections'] = normaliseAutoCollections(autoCollections)
  checkStorable(merged)
  return merged
}

/** What the scanner goes by: on when nothing was ever set. */
export function effectiveAutoCollections(options: LibraryOptions): { enabled: boolean } {
  const stored = options['autoCollections']
  return { enabled: isPlainObject(stored) && typeof stored['enabled'] === 'boolean' ? stored['enabled'] : true }
}

function normaliseAutoCollections(value: unknown): { enabled: boolean } {
  if (typeof value === 'boolean') return { enabled: value }
  if (isPlainObject(value) && typeof value['enabled'] === 'boolean') return { enabled: value['enabled'] }
  throw libraryErrors.invalid_options({ message: 'autoCollections must be a boolean or {"enabled": boolean}' })
}

/** PostgreSQL's jsonb takes neither U+0000 nor half a surrogate pair, and nobody needs a thousand levels. */
function checkStorable(options: LibraryOptions): void {
  try {
    JSON.stringify(options, (key: string, value: unknown) => {
      const texts = typeof value === 'string' ? [key, value] : [key]
      if (texts.some((text) => text.includes('\0') || !text.isWellFormed())) throw new RangeError('text')
      return value
    })
  } catch (error) {
    throw libraryErrors.invalid_options({ message: 'options hold text or nesting that cannot be stored', cause: error })
  }
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
