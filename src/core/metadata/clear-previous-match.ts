import { removeProviderArtwork } from '../artwork/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { clearItems } from './clear-items.ts'
import { selectClearableAmong } from './queries/clearing.ts'
import { selectSeriesMembers } from './queries/series-members.ts'
import type { ItemResolution } from './resolve-item.ts'

/**
 * Removes data of earlier matches that must not outlast the match about to be written. If the title is the same, only the values that the
 * new match replaces are removed. If the title is another one, all values are removed, including those of seasons and episodes that the new
 * match does not have. To be called within a transaction.
 */
export async function clearPreviousMatch(
  connection: Connection,
  { resolution: { item, rows, earlier }, now }: { resolution: ItemResolution; now: Date },
): Promise<void> {
  if (earlier === 'kept') return
  const isOther = earlier === 'other_title'
  const ids = isOther
    ? [item.id, ...(await selectSeriesMembers(connection, item.id)).map(({ id }) => id)]
    : rows.map(({ itemId }) => itemId)
  const items = await selectClearableAmong(connection, ids)
  await clearItems(connection, { items, keepsChosenPosters: !isOther, now })
  // Pictures of the same title are replaced one by one, so that a picture with an unchanged address is not fetched again.
  if (isOther) await removeProviderArtwork(connection, ids)
}
