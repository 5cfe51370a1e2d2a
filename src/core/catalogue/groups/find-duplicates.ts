import type { Connection } from '../../platform/database/index.ts'
import { selectDuplicateCopies, selectDuplicatePairs, type DuplicateCopy } from '../queries/duplicates.ts'

export type { DuplicateCopy } from '../queries/duplicates.ts'

/** Longer lists do not help a person to choose. */
const MAX_ROWS = 10_000

export type DuplicateGroup = {
  /** What the copies have in common, as a readable text: `tmdb:603`, `the matrix (1999)`, `content:<hash>:<size>`. */
  key: string
  /** The copy with the widest picture; among equals the largest file, then the one added first. */
  best: DuplicateCopy
  /** The other copies, in the order that determines `best`. */
  others: DuplicateCopy[]
}

/**
 * The films and episodes that a library lists more than once: files of equal size whose first and last bytes have the same hash, items with
 * equal provider ids, with equal name and year, or with equal numbers in the same series. Uses the results of scans and matches; no file
 * is opened. Copies that are linked through different keys (A–B by id, B–C by name) form one group.
 */
export async function findDuplicates({ db }: { db: Connection }, libraryId: string): Promise<DuplicateGroup[]> {
  const pairs = await selectDuplicatePairs(db, { libraryId, limit: MAX_ROWS })
  const groups = groupDuplicates(pairs)
  const rank = new Map((await selectDuplicateCopies(db, [...groups.keys()])).map((copy) => [copy.id, copy]))
  const copiesByKey = new Map<string, DuplicateCopy[]>()
  for (const [id, copy] of rank) {
    const key = groups.get(id)
    if (key !== undefined) copiesByKey.set(key, [...(copiesByKey.get(key) ?? []), copy])
  }
  return [...copiesByKey].flatMap(([key, [best, ...others]]) =>
    best === undefined || others.length === 0 ? [] : [{ key, best, others }],
  )
}

/** Maps each item to the first key of its connected component. */
function groupDuplicates(pairs: readonly { id: string; key: string }[]): Map<string, string> {
  const above = new Map<string, string>()
  const rootOf = (key: string): string => {
    let root = key
    for (let next = above.get(root); next !== undefined; next = above.get(root)) root = next
    return root
  }
  const keyOf = new Map<string, string>()
  for (const { id, key } of pairs) {
    const known = keyOf.get(id)
    keyOf.set(id, known ?? key)
    if (known === undefined) continue
    const [one, other] = [rootOf(known), rootOf(key)]
    if (one !== other) above.set(other, one)
  }
  return new Map([...keyOf].map(([id, key]) => [id, rootOf(key)]))
}
