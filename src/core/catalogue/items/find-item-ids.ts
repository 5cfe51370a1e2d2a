import type { Connection } from '../../platform/database/index.ts'
import { checkConditions, type ItemConditions } from '../filter/item-filter.ts'
import { selectMatchingIds } from '../queries/matching-ids.ts'

/**
 * The ids of all items that match the conditions, by name, up to a limit.
 * @throws AppError `invalid_request`
 */
export async function findItemIds(
  { db }: { db: Connection },
  { limit, ...conditions }: ItemConditions & { limit: number },
): Promise<readonly string[]> {
  return selectMatchingIds(db, { ...checkConditions(conditions), limit })
}
