import { pluginErrors } from '../errors.ts'

const MAX_SEGMENT_BYTES = 255
const MAX_PATH_BYTES = 512
const MAX_DEPTH = 16

/** Control characters, the separators of other systems, and characters that Windows refuses. */
const FORBIDDEN = /[\p{Cc}\\:*?"<>|]/u

/**
 * Parses the path of an archive entry into its segments. Leading `./` and a trailing slash are ignored.
 * @throws AppError `plugin.install.failed` for every path that could lie outside of the folder, or that other systems read differently
 */
export function parseEntryPath(path: string): string[] {
  const trimmed = path.replace(/^(?:\.\/)+/, '').replace(/\/$/, '')
  if (trimmed === '' || trimmed === '.') return []
  if (Buffer.byteLength(trimmed) > MAX_PATH_BYTES)
    throw refusedEntryError(path, `is longer than ${MAX_PATH_BYTES} bytes`)
  if (!trimmed.isWellFormed() || FORBIDDEN.test(trimmed)) throw refusedEntryError(path, 'has a forbidden character')
  if (trimmed.startsWith('/')) throw refusedEntryError(path, 'is absolute')
  const segments = trimmed.split('/')
  if (segments.length > MAX_DEPTH) throw refusedEntryError(path, `is nested deeper than ${MAX_DEPTH} folders`)
  for (const segment of segments) {
    if (segment === '' || segment === '.' || segment === '..') throw refusedEntryError(path, 'leaves its folder')
    if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) throw refusedEntryError(path, 'has a name that is too long')
  }
  return segments
}

/** Records the names of an archive. Two names that some file systems treat as one are refused. */
export class NameRegister {
  readonly #kinds = new Map<string, { path: string; kind: 'file' | 'folder' }>()

  /** @throws AppError `plugin.install.failed` for a repeated name, and for a file that is also a folder */
  add(segments: readonly string[], kind: 'file' | 'folder'): void {
    for (let length = 1; length <= segments.length; length += 1) {
      const isLast = length === segments.length
      this.#addOne(segments.slice(0, length).join('/'), { kind: isLast ? kind : 'folder', isListed: isLast })
    }
  }

  #addOne(path: string, { kind, isListed }: { kind: 'file' | 'folder'; isListed: boolean }): void {
    const key = path.normalize('NFC').toLowerCase()
    const known = this.#kinds.get(key)
    if (known === undefined) this.#kinds.set(key, { path, kind })
    else if (known.path !== path)
      throw refusedEntryError(path, `differs from ${JSON.stringify(known.path)} only in case`)
    else if (known.kind !== kind || (isListed && kind === 'file')) throw refusedEntryError(path, 'occurs twice')
  }
}

/** Creates the error for a refused entry. Its name is quoted, because it may have control characters. */
export function refusedEntryError(path: string, reason: string): Error {
  return pluginErrors.plugin_install_failed({
    message: `The archive entry ${JSON.stringify(path.slice(0, 200))} ${reason}.`,
  })
}
