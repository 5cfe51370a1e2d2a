import type { Database } from '../../platform/database/index.ts'
import type { CurrentCatalogue } from '../cache/catalogue-cache.ts'
import { locatePageByLetter } from './letter-offsets.ts'
import { selectPageIds, selectSortPosition, type PageQuery, type SortPosition } from '../queries/pages.ts'
import { countFacets } from './facet-counts.ts'

/** From this offset on, a lookup of the start of the page is cheaper than skipping rows. */
export const DEEP_PAGE_OFFSET = 250

/** The distance between anchors, and the maximum number of anchors of one list. */
const STEP = 250
const MAX_ANCHORS = 200

/** An item of a list, and the number of items before it. */
type PageAnchor = SortPosition & { offset: number }

/** Anchors by step number. */
type PageAnchors = Map<number, PageAnchor>

/**
 * The ids of a page far down a list that is sorted by name or time. Skipping a hundred thousand entries costs more than the page, so the
 * page is read from a known position: the start of its letter, if the list is counted by letters, or the start of an earlier page, as
 * long as the catalogue has not changed.
 */
export async function selectDeepPage(
  cache: CurrentCatalogue,
  query: PageQuery,
  isCountedByLetters: boolean,
): Promise<string[]> {
  const { limit: _limit, offset, itemCounts: _shelves, ...question } = query
  const anchors = await cache.getOrCompute(
    `marks ${JSON.stringify(question)}`,
    async (): Promise<PageAnchors> => new Map(),
  )
  const letter =
    isCountedByLetters && query.sort === 'name'
      ? locatePageByLetter(await countFacets(cache, query, 'letter'), query)
      : { offset }
  const anchor = nearestAnchor(anchors, offset)
  const isNearer = anchor !== undefined && offset - anchor.offset <= letter.offset
  const start = isNearer ? { offset: offset - anchor.offset, from: anchor } : letter
  const ids = await selectPageIds(cache.db, { ...query, ...start })
  if (start.offset >= STEP) await storeAnchor(cache.db, anchors, { offset, first: ids[0] })
  return ids
}

function nearestAnchor(anchors: PageAnchors, offset: number): PageAnchor | undefined {
  let nearest: PageAnchor | undefined
  for (const anchor of anchors.values()) {
    if (anchor.offset <= offset && anchor.offset >= (nearest?.offset ?? 0)) nearest = anchor
  }
  return nearest
}

/** Stores the first page of each step as an anchor. It serves all other pages of that step. */
async function storeAnchor(
  db: Database,
  anchors: PageAnchors,
  { offset, first }: { offset: number; first: string | undefined },
): Promise<void> {
  const step = Math.floor(offset / STEP)
  const known = anchors.get(step)
  if (first === undefined || (known === undefined ? anchors.size >= MAX_ANCHORS : known.offset <= offset)) return
  const place = await selectSortPosition(db, first)
  if (place !== undefined) anchors.set(step, { ...place, offset })
}
