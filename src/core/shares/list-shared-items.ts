import type { Connection } from '../platform/database/index.ts'
import { shareErrors } from './errors.ts'
import { selectSharedItems } from './queries/shared-items.ts'
import { selectShareById } from './queries/shares.ts'
import type { Share, SharedItem } from './share.ts'

/** A guest's page lists at most so many entries. */
const MAX_ENTRIES = 2000

/**
 * A link with all that can be played or looked at, in order, as seen over this connection.
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
