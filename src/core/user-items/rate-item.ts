import { catalogueErrors } from '../catalogue/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { writeToExistingItem } from './existing-item.ts'
import { upsertRating } from './queries.ts'
import type { UserItemKey } from './user-data.ts'

const LOWEST_RATING = 1
const HIGHEST_RATING = 10

/**
 * Sets an account's rating of an item; null takes it away (document 1, Media catalogue). The rating is judged before the item.
 * @param input.rating as a request brings it; nothing is taken for a number that is none
 * @throws AppError `invalid_request` with `details.field`, `media_item_not_found`
 */
export async function rateItem(
  { db }: { db: Connection },
  { rating, ...key }: UserItemKey & { rating: unknown },
): Promise<void> {
  const checked = checkRating(rating)
  await writeToExistingItem(key.itemId, () => upsertRating(db, key, checked))
}

function checkRating(rating: unknown): number | null {
  if (rating === null) return null
  if (typeof rating === 'number' && Number.isInteger(rating) && rating >= LOWEST_RATING && rating <= HIGHEST_RATING)
    return rating
  throw catalogueErrors.invalid_request({
    message: `rating must be an integer between ${LOWEST_RATING} and ${HIGHEST_RATING}, or null`,
    details: { field: 'rating' },
  })
}
