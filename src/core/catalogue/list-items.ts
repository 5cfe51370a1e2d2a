import type { Database } from '../platform/database/index.ts'
import { checkItemFilter, type ItemFilter } from './item-filter.ts'
import type { MediaItem } from './media-item.ts'
import { countItems, selectItems } from './queries/read.ts'

/** One page of a list, and how many items the filter has in all. */
export type ItemPage = { items: MediaItem[]; total: number; limit: number; offset: number }

/**
 * A page of the catalogue. Ties are ordered by id, so that pages neither repeat nor skip an item.
 * @throws AppError `invalid_request`
 */
export async function listItems({ db }: { db: Database }, filter: ItemFilter): Promise<ItemPage> {
  const checked = checkItemFilter(filter)
  const total = await countItems(db, checked)
  const items = checked.offset < total ? await selectItems(db, checked) : []
  return { items, total, limit: checked.limit, offset: checked.offset }
}
