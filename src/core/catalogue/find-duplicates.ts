import type { Connection } from '../platform/database/index.ts'
import { selectCopies, selectTwins, type Copy } from './queries/duplicates.ts'

export type { Copy } from './queries/duplicates.ts'

/** Longer answers help no person to choose. */
const MAX_ROWS = 10_000

export type DuplicateGroup = {
  /** What the copies have in common, to be read: `tmdb:603`, `the matrix (1999)`, `content:<hash>:<size>`. */
  key: string
  /** The copy with the widest picture; of those alike the largest file, then the one that was there first. */
  best: Copy
  /** The others, in the same order. */
  others: Copy[]
}

/**
 * The films and episodes that a library lists more than once: files with equal ends and sizes, equal ids of providers, equal name and
 * year, or equal numbers in the same series. Goes by what scans and matches have found; no file is opened. Copies that have different
 * things in common are one group.
 */
export async function findDuplicates({ db }: { db: Connection }, libraryId: string): Promise<DuplicateGroup[]> {
  const twins = await selectTwins(db, { libraryId, limit: MAX_ROWS })
  const groups = groupTwins(twins)
  const rank = new Map((await selectCopies(db, [...groups.keys()])).map((copy) => [copy.id, copy]))
  const found = new Map<string, Copy[]>()
  for (const [id, copy] of rank) {
    const key = groups.get(id)
    if (key !== undefined) found.set(key, [...(found.get(key) ?? []), copy])
  }
  return [...found].flatMap(([key, [best, ...others]]) =>
    best === undefined || others.length === 0 ? [] : [{ key, best, others }],
  )
}

/** For each item the first key of all that are connected with it, however many steps away. */
function groupTwins(twins: readonly { id: string; key: string }[]): Map<string, string> {
  const above = new Map<string, string>()
  const rootOf = (key: string): string => {
    let root = key
    for (let next = above.get(root); next !== undefined; next = above.get(root)) root = next
    return root
  }
  const keyOf = new Map<string, string>()
  for (const { id, key } of twins) {
    const known = keyOf.get(id)
    keyOf.set(id, known ?? key)
    if (known === undefined) continue
    const [one, other] = [rootOf(known), rootOf(key)]
    if (one !== other) above.set(other, one)
  }
  return new Map([...keyOf].map(([id, key]) => [id, rootOf(key)]))
}
