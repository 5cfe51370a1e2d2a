import { pluginErrors } from '../errors.ts'

const MAX_SEGMENT_BYTES = 255
const MAX_PATH_BYTES = 512
const MAX_DEPTH = 16

/** Control characters, the separators of other systems, and characters that Windows refuses. */
const FORBIDDEN = /[\p{Cc}\\:*?"<>|]/u

/**
 * The segments of the path of an archive entry. Leading `./` and a trailing slash are ignored.
 * @throws AppError `plugin.install.failed` for every path that could lie outside of the folder, or that other systems read differently
 */
export function segmentsOf(path: string): string[] {
  const trimmed = path.replace(/^(?:\.\/)+/, '').replace(/\/$/, '')
  if (trimmed === '' || trimmed === '.') return []
  if (Buffer.byteLength(trimmed) > MAX_PATH_BYTES) throw refusal(path, `is longer than ${MAX_PATH_BYTES} bytes`)
  if (!trimmed.isWellFormed() || FORBIDDEN.test(trimmed)) throw refusal(path, 'has a forbidden character')
  if (trimmed.startsWith('/')) throw refusal(path, 'is absolute')
  const segments = trimmed.split('/')
  if (segments.length > MAX_DEPTH) throw refusal(path, `is nested deeper than ${MAX_DEPTH} folders`)
  for (const segment of segments) {
    if (segment === '' || segment === '.' || segment === '..') throw refusal(path, 'leaves its folder')
    if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) throw refusal(path, 'has a name that is too long')
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
    else if (known.path !== path) throw refusal(path, `differs from ${JSON.stringify(known.path)} only in case`)
    else if (known.kind !== kind || (isListed && kind === 'file')) throw refusal(path, 'occurs twice')
  }
}

/** The error for an entry; its name is quoted, because it may have control characters. */
export function refusal(path: string, reason: string): Error {
  return pluginErrors.plugin_install_failed({
    message: `The archive entry ${JSON.stringify(path.slice(0, 200))} ${reason}.`,
  })
}
