import { removeProviderArtwork } from '../artwork/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { clearItems } from './clear-items.ts'
import { selectClearableAmong } from './queries/clearing.ts'
import { selectMembers } from './queries/members.ts'
import type { Resolution } from './resolve-item.ts'

/**
 * Takes away what earlier matches said and must not outlast the one that is about to be written: of the same title only where that one
 * says something else, of another title everywhere, also of seasons and episodes that this one does not have. Within a transaction.
 */
export async function clearPreviousMatch(
  connection: Connection,
  { resolution: { item, rows, earlier }, now }: { resolution: Resolution; now: Date },
): Promise<void> {
  if (earlier === 'stays') return
  const isOther = earlier === 'is_of_another_title'
  const ids = isOther
    ? [item.id, ...(await selectMembers(connection, item.id)).map(({ id }) => id)]
    : rows.map(({ itemId }) => itemId)
  const items = await selectClearableAmong(connection, ids)
  await clearItems(connection, { items, keepsChosenPosters: !isOther, now })
  // Pictures of the same title give way to their successors: one whose address is the same need not be fetched again.
  if (isOther) await removeProviderArtwork(connection, ids)
}
