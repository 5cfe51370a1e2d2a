import { catalogueErrors } from '../catalogue/index.ts'
import type { Connection } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { writeToExistingItem } from './write-to-existing-item.ts'
import { upsertRating } from './queries.ts'
import type { UserItemKey } from './user-data.ts'

const LOWEST_RATING = 1
const HIGHEST_RATING = 10

/**
 * Sets a profile's rating of an item; null removes it. The rating is validated before the item.
 * @param input.rating untrusted value of a request; other types are not converted to numbers
 * @param input.field its name in the request
 * @throws AppError `invalid_request` with `details.field`, `media_item_not_found`
 */
export async function rateItem(
  { db, clock }: { db: Connection; clock: Clock },
  { rating, field = 'rating', ...key }: UserItemKey & { rating: unknown; field?: string },
): Promise<void> {
  const value = checkRating(rating, field)
  const given = value === null ? null : { value, at: clock.now() }
  await writeToExistingItem(key.itemId, () => upsertRating(db, key, given))
}

function checkRating(rating: unknown, field: string): number | null {
  if (rating === null) return null
  if (typeof rating === 'number' && Number.isInteger(rating) && rating >= LOWEST_RATING && rating <= HIGHEST_RATING)
    return rating
  throw catalogueErrors.invalid_request({
    message: `${field} must be an integer between ${LOWEST_RATING} and ${HIGHEST_RATING}, or null`,
    details: { field },
  })
}
