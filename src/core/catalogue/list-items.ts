import type { Database } from '../platform/database/index.ts'
import { openMemory, type Remember } from './catalogue-memory.ts'
import { DEEP_OFFSET, selectDeepPage } from './deep-pages.ts'
import { findListedItems } from './find-items.ts'
import { recallItems } from './item-memory.ts'
import { checkItemFilter, type CheckedItemFilter, type ItemFilter } from './item-filter.ts'
import type { ListedItem } from './media-item.ts'
import {
  countItems,
  selectAlike,
  selectChildren,
  selectFewFits,
  selectPage,
  selectPageIds,
  type FewFits,
} from './queries/pages.ts'
import { wordsOf } from './search-words.ts'
import { countOf, findShelves } from './shelves.ts'

/** One page of a list, and how many items the filter has in all. */
export type ItemPage = { items: ListedItem[]; total: number; limit: number; offset: number }

/** Nobody pages further through what a search found; counting on would look at every item. */
const MOST_FOUND = 10_000
/** So many are compared with each other; more come in the order of their names, those that begin with the search first. */
const MOST_COMPARED = 2000
const MOST_ALIKE = 200
const MOST_REMEMBERED = 200
/**
 * A page of the catalogue. Ties are ordered by id, so that pages neither repeat nor skip an item. `total` is exact; of a search it is
 * counted up to 10,000.
 * @throws AppError `invalid_request`
 */
export async function listItems({ db }: { db: Database }, filter: ItemFilter): Promise<ItemPage> {
  const checked = checkItemFilter(filter)
  const { items, total } = await readPage(db, checked)
  return { items, total, limit: checked.limit, offset: checked.offset }
}

async function readPage(db: Database, filter: CheckedItemFilter): Promise<Pick<ItemPage, 'items' | 'total'>> {
  const { parentId, search } = filter
  if (parentId !== undefined) {
    const total = await countItems(db, filter)
    return {
      total,
      items: filter.offset < total ? await recallItems({ db }, await selectChildren(db, { ...filter, parentId })) : [],
    }
  }
  const memory: Memory = { db, remember: await openMemory(db) }
  if (search !== undefined) return searchPage(memory, { ...filter, search })
  const { shelves, label } = await findShelves(memory, filter)
  const total = label === undefined ? await countRemembered(memory, filter) : countOf(shelves)
  if (filter.offset >= total) return { total, items: [] }
  const isPlain = label?.kind === 'items'
  const isDeep = filter.offset >= DEEP_OFFSET && (filter.sort === 'name' || filter.sort === 'added')
  if (isDeep)
    return { total, items: await recallItems(memory, await selectDeepPage(memory, { ...filter, shelves }, isPlain)) }
  const query = { ...filter, shelves }
  if (isPlain) return { total, items: await recallItems(memory, await selectPage(db, query)) }
  const ids = await findRemembered(memory, filter, (part) => selectPageIds(db, { ...query, ...part }))
  return { total, items: await findListedItems(memory, ids) }
}

type Memory = { db: Database; remember: Remember }

async function countRemembered(
  { db, remember }: Memory,
  conditions: CheckedItemFilter,
  atMost?: number,
): Promise<number> {
  const { limit: _limit, offset: _offset, sort: _sort, order: _order, ...question } = conditions
  return remember(JSON.stringify(question), () => countItems(db, { ...question, atMost }))
}

type Search = CheckedItemFilter & { search: string }

async function searchPage(memory: Memory, filter: Search): Promise<Pick<ItemPage, 'items' | 'total'>> {
  const few = filter.sort === 'relevance' ? await fewFits(memory, filter) : undefined
  const total = few?.total ?? (await countRemembered(memory, filter, MOST_FOUND))
  if (total === 0) return alikePage(memory, filter)
  if (filter.offset >= total) return { total, items: [] }
  const ids = few?.ids ?? (await manyFits(memory, filter))
  return { total, items: await findListedItems(memory, ids) }
}

async function fewFits({ db, remember }: Memory, filter: Search): Promise<FewFits | undefined> {
  const { limit, offset, ...question } = filter
  if (offset + limit > MOST_REMEMBERED) return selectFewFits(db, filter, MOST_COMPARED)
  const first = { ...filter, limit: MOST_REMEMBERED, offset: 0 }
  const few = await remember(`few ${JSON.stringify(question)}`, () => selectFewFits(db, first, MOST_COMPARED))
  return few && { total: few.total, ids: few.ids.slice(offset, offset + limit) }
}

async function manyFits(memory: Memory, filter: Search): Promise<string[]> {
  const { shelves } = await findShelves(memory, filter)
  return findRemembered(memory, filter, (part) => selectPageIds(memory.db, { ...filter, ...part, shelves }))
}

type Part = { limit: number; offset: number }

/**
 * What an index does not hold in order has to be found among many: the first ids are remembered, because people page back and forth, and
 * ask for the same genres and words.
 */
async function findRemembered(
  { remember }: Memory,
  { limit, offset, ...question }: CheckedItemFilter,
  find: (part: Part) => Promise<string[]>,
): Promise<string[]> {
  if (question.sort === 'random' || offset + limit > MOST_REMEMBERED) return find({ limit, offset })
  const ids = await remember(`found ${JSON.stringify(question)}`, () => find({ limit: MOST_REMEMBERED, offset: 0 }))
  return ids.slice(offset, offset + limit)
}

/** When no name holds the words, those that sound alike: a letter too many, too few, or another one. */
async function alikePage({ db, remember }: Memory, filter: Search): Promise<Pick<ItemPage, 'items' | 'total'>> {
  if (!wordsOf(filter.search).isIndexed) return { total: 0, items: [] }
  const { limit, offset, sort: _sort, order: _order, ...question } = filter
  const ids = await remember(`alike ${JSON.stringify(question)}`, () =>
    db.transaction((connection) => selectAlike(connection, { ...question, limit: MOST_ALIKE })),
  )
  return { total: ids.length, items: await findListedItems({ db }, ids.slice(offset, offset + limit)) }
}
