import type { Connection } from '../platform/database/index.ts'
import { shareErrors } from './errors.ts'
import { selectSharedItems } from './queries/shared-items.ts'
import { selectShareById } from './queries/shares.ts'
import type { Share, SharedItem } from './share.ts'

/** Maximum number of entries on the page of a guest. */
const MAX_ENTRIES = 2000

/**
 * Reads a link with all its playable items and photos, in order, as seen over this connection.
 * @throws AppError `share_revoked`
 */
export async function listSharedItems(
  { db }: { db: Connection },
  shareId: string,
): Promise<{ share: Share; items: readonly SharedItem[] }> {
  const share = await selectShareById(db, shareId)
  if (share === undefined) throw shareErrors.share_revoked()
  return { share, items: await selectSharedItems(db, { shareId, limit: MAX_ENTRIES }) }
}
