import type { Connection } from '../platform/database/index.ts'
import { userItemErrors } from './errors.ts'
import { writeToExistingItem } from './write-to-existing-item.ts'
import { upsertLikeLevel } from './queries.ts'
import type { UserItemKey } from './user-data.ts'

const LOWEST_LEVEL = -2
const HIGHEST_LEVEL = 2

/**
 * Sets how much a profile likes an item, from -2 to 2; 0 removes it. The level is validated before the item.
 * @param input.level untrusted value of a request; other types are not converted to numbers
 * @throws AppError `invalid_level`, `like_level_out_of_range`, `media_item_not_found`
 */
export async function setLikeLevel(
  { db }: { db: Connection },
  { level, ...key }: UserItemKey & { level: unknown },
): Promise<void> {
  const checked = checkLevel(level)
  await writeToExistingItem(key.itemId, () => upsertLikeLevel(db, key, checked))
}

function checkLevel(level: unknown): number {
  if (typeof level !== 'number' || !Number.isInteger(level)) throw userItemErrors.invalid_level()
  if (level >= LOWEST_LEVEL && level <= HIGHEST_LEVEL) return level
  const { title } = userItemErrors.like_level_out_of_range.definition
  throw userItemErrors.like_level_out_of_range({ title: `${title}, got ${level}` })
}
