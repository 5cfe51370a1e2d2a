import { closeSync, constants, fstatSync, openSync, readSync, type Dirent } from 'node:fs'
import { IGNORE_EVERYTHING_RULES, parseIgnoreRules, type IgnoreRules } from './ignore-rules.ts'

const MARKERS = new Set(['.ignore', '.nomedia', '.plexignore', '.ndignore'])

/** A larger file is not a list of patterns; the rest is not read. */
const MAX_BYTES = 65_536

/**
 * Reads the marker files of a folder. Undefined if there is no marker file; `IGNORE_EVERYTHING_RULES` if a marker file is empty, unreadable or
 * without patterns. Rules of several files are combined.
 */
export function readIgnoreRules(path: string, entries: readonly Dirent[]): IgnoreRules | undefined {
  const markers = entries.filter((entry) => MARKERS.has(entry.name.toLowerCase()) && entry.isFile())
  if (markers.length === 0) return undefined
  const rules = markers.map(({ name }) => parseIgnoreRules(readMarker(`${path}/${name}`)))
  if (rules.includes(IGNORE_EVERYTHING_RULES)) return IGNORE_EVERYTHING_RULES
  return { ignores: (relativePath) => rules.some((one) => one.ignores(relativePath)) }
}

/** An empty text for an unreadable file. It hides the folder, which is the safe choice: items of a hidden folder are never removed. */
function readMarker(path: string): string {
  let descriptor: number | undefined
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    if (!fstatSync(descriptor).isFile()) return ''
    const bytes = Buffer.alloc(MAX_BYTES)
    return bytes.subarray(0, readSync(descriptor, bytes, 0, MAX_BYTES, 0)).toString('utf8')
  } catch {
    return ''
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}
