import type { CatalogueCache, CurrentCatalogue } from '../cache/catalogue-cache.ts'
import { DEEP_PAGE_OFFSET, selectDeepPage } from './page-anchors.ts'
import { checkItemFilter, type CheckedItemFilter, type ItemFilter } from '../filter/item-filter.ts'
import type { ListedItem } from '../item/media-item.ts'
import { selectRankedPage, type RankedPage } from '../queries/ranked-page.ts'
import { countItems, selectSimilarNames, selectChildIds, selectPageIds } from '../queries/pages.ts'
import type { Page } from '../item/page.ts'
import { chooseSearchWords } from '../filter/search-words.ts'
import { sumCounts, findItemCounts } from './facet-counts.ts'

/** One page of a list, and the total number of items that match the filter. */
export type ItemPage = { items: ListedItem[]; total: number; limit: number; offset: number }

/**
 * Limit of the count of a search. Counting all results of a short search would read every item. Pages beyond the limit are still served.
 */
const MAX_FOUND = 10_000
/** Maximum number of results that are ranked. Further results follow by name, those that begin with the search first. */
const MAX_RANKED = 2000
/** Number of ids that are selected and cached together. It is also the limit of similar results. */
const BLOCK_SIZE = 200

/**
 * A page of the catalogue. Ties are ordered by id, so that pages neither repeat nor skip an item. `total` is exact; for a search it is
 * counted up to 10,000 on the pages before that position.
 * @throws AppError `invalid_request`
 */
export async function listItems(
  { catalogueCache }: { catalogueCache: CatalogueCache },
  filter: ItemFilter,
): Promise<ItemPage> {
  const checked = checkItemFilter(filter)
  const { items, total } = await readPage(await catalogueCache.open(), checked)
  return { items, total, limit: checked.limit, offset: checked.offset }
}

type Found = Pick<ItemPage, 'items' | 'total'>

async function readPage(cache: CurrentCatalogue, filter: CheckedItemFilter): Promise<Found> {
  const { parentId, search, offset } = filter
  if (search !== undefined) return searchPage(cache, { ...filter, search })
  if (parentId !== undefined) return childrenPage(cache, { ...filter, parentId })
  const { itemCounts, label } = await findItemCounts(cache, filter)
  const total = label === undefined ? await countCached(cache, filter) : sumCounts(itemCounts)
  if (offset >= total) return { total, items: [] }
  const isCountedByLetters = label?.kind === 'items'
  const ids = await findCached(cache, filter, (part) => {
    const query = { ...filter, ...part, itemCounts }
    const isDeep = part.offset >= DEEP_PAGE_OFFSET && (filter.sort === 'name' || filter.sort === 'added')
    return isDeep ? selectDeepPage(cache, query, isCountedByLetters) : selectPageIds(cache.db, query)
  })
  return { total, items: await cache.getListedItems(ids) }
}

async function childrenPage(cache: CurrentCatalogue, filter: CheckedItemFilter & { parentId: string }): Promise<Found> {
  const total = await countCached(cache, filter)
  if (filter.offset >= total) return { total, items: [] }
  const ids = await findCached(cache, filter, (part) => selectChildIds(cache.db, { ...filter, ...part }))
  return { total, items: await cache.getListedItems(ids) }
}

async function countCached(
  { db, getOrCompute }: CurrentCatalogue,
  conditions: CheckedItemFilter,
  atMost?: number,
): Promise<number> {
  const { limit: _limit, offset: _offset, sort: _sort, order: _order, ...unpaged } = conditions
  return getOrCompute(JSON.stringify({ ...unpaged, atMost }), () => countItems(db, { ...unpaged, atMost }))
}

type Search = CheckedItemFilter & { search: string }

async function searchPage(cache: CurrentCatalogue, filter: Search): Promise<Found> {
  const ranked = filter.sort === 'relevance' ? await rankedPage(cache, filter) : undefined
  const atMost = filter.offset + filter.limit > MAX_FOUND ? undefined : MAX_FOUND
  const total = ranked?.total ?? (await countCached(cache, filter, atMost))
  if (total === 0) return filter.findsSimilar ? similarPage(cache, filter) : { total, items: [] }
  if (filter.offset >= total) return { total, items: [] }
  const ids = ranked?.ids ?? (await unrankedPage(cache, filter))
  return { total, items: await cache.getListedItems(ids) }
}

async function rankedPage({ db, getOrCompute }: CurrentCatalogue, filter: Search): Promise<RankedPage | undefined> {
  const { limit, offset, ...unpaged } = filter
  if (offset + limit > BLOCK_SIZE) return selectRankedPage(db, filter, MAX_RANKED)
  const first = { ...filter, limit: BLOCK_SIZE, offset: 0 }
  const ranked = await getOrCompute(`ranked ${JSON.stringify(unpaged)}`, () => selectRankedPage(db, first, MAX_RANKED))
  return ranked && { total: ranked.total, ids: ranked.ids.slice(offset, offset + limit) }
}

async function unrankedPage(cache: CurrentCatalogue, filter: Search): Promise<string[]> {
  const { parentId } = filter
  if (parentId !== undefined) {
    return findCached(cache, filter, (part) => selectChildIds(cache.db, { ...filter, ...part, parentId }))
  }
  const { itemCounts } = await findItemCounts(cache, filter)
  return findCached(cache, filter, (part) => selectPageIds(cache.db, { ...filter, ...part, itemCounts }))
}

/**
 * The ids of a page. They are selected and cached in blocks, because clients page back and forth, repeat genres and searches, and mostly
 * continue to the next page.
 */
async function findCached(
  { getOrCompute }: CurrentCatalogue,
  { limit, offset, ...unpaged }: CheckedItemFilter,
  find: (part: Page) => Promise<string[]>,
): Promise<string[]> {
  if (unpaged.sort === 'random') return find({ limit, offset })
  const key = JSON.stringify(unpaged)
  const first = offset - (offset % BLOCK_SIZE)
  const ids: string[] = []
  for (let start = first; start < offset + limit && ids.length === start - first; start += BLOCK_SIZE) {
    ids.push(...(await getOrCompute(`${start} of ${key}`, () => find({ limit: BLOCK_SIZE, offset: start }))))
  }
  return ids.slice(offset - first, offset - first + limit)
}

/** Names similar to the search, for a search without results: one letter too many, too few, or different. */
async function similarPage(cache: CurrentCatalogue, filter: Search): Promise<Found> {
  if (chooseSearchWords(filter.search).match !== 'parts') return { total: 0, items: [] }
  const { limit, offset, sort: _sort, order: _order, ...unpaged } = filter
  const ids = await cache.getOrCompute(`similar ${JSON.stringify(unpaged)}`, () =>
    cache.db.transaction((connection) => selectSimilarNames(connection, { ...unpaged, limit: BLOCK_SIZE })),
  )
  return { total: ids.length, items: await cache.getListedItems(ids.slice(offset, offset + limit)) }
}
