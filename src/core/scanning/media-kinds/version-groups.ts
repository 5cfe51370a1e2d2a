import { groupVideoFiles } from '../../naming/index.ts'
import { pathInLibraryRoot, fileStem } from './file-stem.ts'
import type { FileRole } from './media-kind.ts'

/** Relations between files of a folder. */
export type VideoGroups = {
  /** The roles by file name; null for the listed file. */
  roles: ReadonlyMap<string, FileRole | null>
  /** The listed file that represents a file, by the name of that file. */
  primaries: ReadonlyMap<string, string>
}

/**
 * Finds versions and parts among films of one folder, or among files of one episode. The first version is listed. The other versions
 * belong to it, and the parts of a version to its first file.
 */
export function groupVersions(
  names: readonly string[],
  pathInsideRoot: string,
  kind: 'movies' | 'series',
): VideoGroups {
  const roles = new Map<string, FileRole | null>(names.map((name) => [name, null]))
  const primaries = new Map<string, string>(names.map((name) => [name, name]))
  const { items } = groupVideoFiles(
    names.map((name) => pathInLibraryRoot(pathInsideRoot, name)),
    kind,
  )
  for (const { versions } of items) {
    const parts = versions.map(({ paths }) => paths.map((path) => path.slice(path.lastIndexOf('/') + 1)))
    const primary = parts[0]?.[0]
    if (primary === undefined) continue
    const labels = labelsOf(parts.map(([first = '']) => fileStem(first)))
    for (const [order, [first = '', ...others]] of parts.entries()) {
      if (order > 0) roles.set(first, { kind: 'version', of: { file: primary }, label: labels[order] ?? null, order })
      for (const [at, name] of others.entries()) {
        roles.set(name, { kind: 'part', of: { file: first }, label: null, order: at + 2 })
      }
      for (const name of [first, ...others]) primaries.set(name, primary)
    }
  }
  return { roles, primaries }
}

/** Returns labels that distinguish the names: the text after the common leading words, without surrounding punctuation. */
function labelsOf(stems: readonly string[]): (string | null)[] {
  const common = commonPrefixLength(stems)
  return stems.map((stem) => {
    const label = stem
      .slice(common)
      .replace(/^[-–._ ]+/, '')
      .replace(/^\[([^[\]]*)\]$|^\(([^()]*)\)$|^\{(?:edition-)?([^{}]*)\}$/i, '$1$2$3')
      .trim()
    return label === '' ? null : label
  })
}

/** Returns the length of the common prefix, up to the end of a word. */
function commonPrefixLength(stems: readonly string[]): number {
  const [first = '', ...others] = stems
  let length = 0
  while (length < first.length && others.every((other) => other.charAt(length) === first.charAt(length))) length += 1
  const endsWord = (stem: string): boolean => !/[\p{L}\p{N}]/u.test(stem.charAt(length))
  while (length > 0 && !(stems.every(endsWord) || /[-–._ ]/.test(first.charAt(length - 1)))) length -= 1
  return length
}
