import type { Connection } from '../../platform/database/index.ts'
import { selectShuffledItems } from '../queries/episodes.ts'
import { getItem } from './get-item.ts'

/** Limit of a shuffled queue. Longer ones are not played at once. */
const MAX_SHUFFLED = 1000

/**
 * The playable items of an item (an album, a season, a series), in random order; at most 1,000.
 * @throws AppError `media_item_not_found`
 */
export async function shuffleItem({ db }: { db: Connection }, id: string): Promise<string[]> {
  const item = await getItem({ db }, id)
  return selectShuffledItems(db, { itemId: item.id, limit: MAX_SHUFFLED })
}
