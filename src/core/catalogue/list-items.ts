import type { Database } from '../platform/database/index.ts'
import { rememberCount } from './count-memory.ts'
import { findItems } from './find-items.ts'
import { checkItemFilter, type CheckedItemFilter, type ItemFilter } from './item-filter.ts'
import type { MediaItem } from './media-item.ts'
import { placeInNames } from './name-places.ts'
import { countItems, selectAlike, selectBestFits, selectChildren, selectPage } from './queries/pages.ts'
import { selectLabels, selectShelves } from './queries/tallies.ts'
import { wordsOf } from './search-words.ts'
import { countOf, findShelves } from './shelves.ts'

/** One page of a list, and how many items the filter has in all. */
export type ItemPage = { items: MediaItem[]; total: number; limit: number; offset: number }

/** Nobody pages further through what a search found; counting on would look at every item. */
const MOST_FOUND = 10_000
/** So many are compared with each other; more come in the order of their names, those that begin with the search first. */
const MOST_COMPARED = 2000
const MOST_ALIKE = 200
/** From here on it pays to ask first where in the names the page begins. */
const DEEP_OFFSET = 1000

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
    return { total, items: filter.offset < total ? await selectChildren(db, { ...filter, parentId }) : [] }
  }
  if (search !== undefined) return searchPage(db, { ...filter, search })
  const { shelves, label } = await findShelves(db, filter)
  const total = label === undefined ? await countRemembered(db, filter) : countOf(shelves)
  if (filter.offset >= total) return { total, items: [] }
  const isPlain = label?.kind === 'items' && filter.sort === 'name' && filter.offset >= DEEP_OFFSET
  const place = isPlain ? placeInNames(await selectLabels(db, filter, 'letter'), filter) : { offset: filter.offset }
  return { total, items: await selectPage(db, { ...filter, ...place, shelves }) }
}

async function countRemembered(db: Database, conditions: CheckedItemFilter, atMost?: number): Promise<number> {
  const { limit: _limit, offset: _offset, sort: _sort, order: _order, ...question } = conditions
  return rememberCount(db, JSON.stringify(question), () => countItems(db, { ...question, atMost }))
}

type Search = CheckedItemFilter & { search: string }

async function searchPage(db: Database, filter: Search): Promise<Pick<ItemPage, 'items' | 'total'>> {
  const total = await countRemembered(db, filter, MOST_FOUND)
  if (total === 0) return alikePage(db, filter)
  if (filter.offset >= total) return { total, items: [] }
  const shelves = await selectShelves(db, filter, { kind: 'items' })
  const isCompared = filter.sort === 'relevance' && total <= MOST_COMPARED
  const select = isCompared ? selectBestFits : selectPage
  return { total, items: await select(db, { ...filter, shelves }) }
}

/** When no name holds the words, those that sound alike: a letter too many, too few, or another one. */
async function alikePage(db: Database, filter: Search): Promise<Pick<ItemPage, 'items' | 'total'>> {
  if (!wordsOf(filter.search).isIndexed) return { total: 0, items: [] }
  const { limit, offset, sort: _sort, order: _order, ...question } = filter
  const ids = await rememberCount(db, `alike ${JSON.stringify(question)}`, () =>
    db.transaction((connection) => selectAlike(connection, { ...question, limit: MOST_ALIKE })),
  )
  return { total: ids.length, items: await findItems({ db }, ids.slice(offset, offset + limit)) }
}
