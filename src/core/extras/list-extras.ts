import { getItem } from '../catalogue/index.ts'
import type { Connection } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import type { Extra } from './extra.ts'
import { mergeExtras } from './merge-extras.ts'
import { selectCachedExtras, selectLocalExtras, upsertExtras } from './queries.ts'

/** How long a list is cached unless a scan invalidates it. */
const CACHED_MILLISECONDS = 24 * 3600 * 1000

/**
 * The trailers and other extras of an item, computed at most once a day. Versions and parts of a film have the extras of the film.
 * @throws AppError `media_item_not_found`
 */
export async function listExtras({ db, clock }: { db: Connection; clock: Clock }, id: string): Promise<Extra[]> {
  const { id: itemId, metadata } = await getItem({ db }, id)
  const now = clock.now()
  const kept = await selectCachedExtras(db, { itemId, since: new Date(now.getTime() - CACHED_MILLISECONDS) })
  if (kept !== undefined) return kept
  const extras = mergeExtras(await selectLocalExtras(db, itemId), { itemId, metadata })
  await upsertExtras(db, { itemId, extras, now })
  return extras
}
