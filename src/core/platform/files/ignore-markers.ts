import { closeSync, constants, fstatSync, openSync, readSync, type Dirent } from 'node:fs'
import { IGNORES_EVERYTHING, readIgnoreRules, type IgnoreRules } from './ignore-rules.ts'

const MARKERS = new Set(['.ignore', '.nomedia', '.plexignore', '.ndignore'])

/** A longer file is no list of patterns. */
const MAX_BYTES = 65_536

/**
 * What the marker files of a folder say about it and all below it: undefined when there are none, `IGNORES_EVERYTHING` for one that is
 * empty, cannot be read, or holds no pattern; of several files every one counts.
 */
export function rulesOfFolder(path: string, entries: readonly Dirent[]): IgnoreRules | undefined {
  const markers = entries.filter((entry) => MARKERS.has(entry.name.toLowerCase()) && entry.isFile())
  if (markers.length === 0) return undefined
  const rules = markers.map(({ name }) => readIgnoreRules(readMarker(`${path}/${name}`)))
  if (rules.includes(IGNORES_EVERYTHING)) return IGNORES_EVERYTHING
  return { ignores: (relativePath) => rules.some((one) => one.ignores(relativePath)) }
}

/** Nothing for a file that cannot be read: hiding is the safe side, for what is hidden is never removed. */
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
