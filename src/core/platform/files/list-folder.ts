import { isUtf8 } from 'node:buffer'
import { readdirSync, type Dirent } from 'node:fs'

export type Listing = {
  /** Sorted by name, so that two walks of the same tree go the same way. */
  entries: Dirent[]
  /** Names that are not UTF-8, with replacement characters: no path made of them opens the file. */
  unreadableNames: string[]
}

/**
 * The entries of one folder, in one synchronous call: several times cheaper than the asynchronous ones (measured), and only worker
 * threads walk.
 * @throws the system error of opendir(3) or readdir(3)
 */
export function listFolder(path: string): Listing {
  const entries = readdirSync(path, { withFileTypes: true })
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  const mayHoldInvalidNames = entries.some(({ name }) => name.includes('\uFFFD'))
  return mayHoldInvalidNames ? withoutInvalidNames(path, entries) : { entries, unreadableNames: [] }
}

/** Node decodes a byte that is not UTF-8 to U+FFFD, but a name may also really hold that character: only the bytes tell. */
function withoutInvalidNames(path: string, entries: Dirent[]): Listing {
  const unreadableNames = readdirSync(path, { encoding: 'buffer' })
    .filter((name) => !isUtf8(name))
    .map((name) => name.toString())
  const lossy = new Set(unreadableNames)
  return { entries: entries.filter((entry) => !lossy.has(entry.name)), unreadableNames }
}
