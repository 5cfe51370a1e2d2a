import { normalizeName, withoutExtension } from '../text/name-text.ts'

/** Files, or disc folders, that are one film in several parts. */
export type Stack = {
  /** The path without the part and the extension. */
  name: string
  /** The paths of the parts, in playing order. */
  paths: string[]
}

const PART = /^(.*?)[ _.-]*(?<![\p{L}])[([]?(cd|dvd|part|pt|dis[ck])[ _.-]*(\d{1,3}|[a-d])[)\]]?$/iu

type Part = { path: string; name: string; key: string; number: number }

/**
 * Groups the parts of films: equal names that end in `cd1`, `part b`, `(Disc 02)`, with the same word and kind of number. A part in the
 * middle of a name does not count, and neither does a number without a word (`300a`). Verified with test rows of Jellyfin's StackTests.
 * @param paths of files or folders; those in no stack are absent from the result
 */
export function groupStacks(paths: readonly string[]): Stack[] {
  const parts = new Map<string, Part[]>()
  for (const path of paths) {
    const part = partOf(path)
    if (part !== undefined) parts.set(part.key, [...(parts.get(part.key) ?? []), part])
  }
  return [...parts.values()]
    .filter((group) => group.length > 1 && new Set(group.map(({ number }) => number)).size === group.length)
    .map((group) => ({
      name: group[0]?.name ?? '',
      paths: group.toSorted((one, other) => one.number - other.number).map(({ path }) => path),
    }))
}

function partOf(path: string): Part | undefined {
  const slash = path.lastIndexOf('/') + 1
  const fileName = normalizeName(path.slice(slash))
  const stem = withoutExtension(fileName)
  const [, before = '', word = '', number = ''] = PART.exec(stem) ?? []
  if (before === '') return undefined
  const isLetter = !/\d/.test(number)
  const name = path.slice(0, slash) + before
  const key = [name, word, isLetter ? 'letters' : 'numbers', fileName.slice(stem.length)].join('\0').toLowerCase()
  return { path, name, key, number: isLetter ? number.toLowerCase().charCodeAt(0) : Number(number) }
}
