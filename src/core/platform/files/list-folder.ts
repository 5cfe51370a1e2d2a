import { isUtf8 } from 'node:buffer'
import { readdirSync, type Dirent } from 'node:fs'

export type FolderEntries = {
  /** Sorted by name, so that the order of a walk is deterministic. */
  entries: Dirent[]
  /** Names that are not UTF-8, with replacement characters. No path with them opens the file. */
  unreadableNames: string[]
}

/**
 * Lists one folder in one synchronous call: several times cheaper than the asynchronous calls (measured). Only worker threads walk.
 * @throws the system error of opendir(3) or readdir(3)
 */
export function listFolder(path: string): FolderEntries {
  const entries = readdirSync(path, { withFileTypes: true })
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  const mayHoldInvalidNames = entries.some(({ name }) => name.includes('\uFFFD'))
  return mayHoldInvalidNames ? withoutInvalidNames(path, entries) : { entries, unreadableNames: [] }
}

/** Node decodes an invalid byte to U+FFFD, but a name may really contain that character, so the bytes are compared. */
function withoutInvalidNames(path: string, entries: Dirent[]): FolderEntries {
  const unreadableNames = readdirSync(path, { encoding: 'buffer' })
    .filter((name) => !isUtf8(name))
    .map((name) => name.toString())
  const lossy = new Set(unreadableNames)
  return { entries: entries.filter((entry) => !lossy.has(entry.name)), unreadableNames }
}
