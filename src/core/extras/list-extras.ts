import { getItem } from '../catalogue/index.ts'
import type { Connection } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import type { Extra } from './extra.ts'
import { mergeExtras, listRemoteTrailers } from './merge-extras.ts'
import { selectCachedExtras, selectLocalExtras, upsertExtras } from './queries.ts'

/** How long the extras of providers are cached unless a scan invalidates it. */
const CACHED_MILLISECONDS = 24 * 3600 * 1000

/**
 * The trailers and other extras of an item. Those of providers are computed at most once a day; files are read each time, because not every
 * account sees all of them. Versions and parts of a film have the extras of the film.
 * @throws AppError `media_item_not_found`
 */
export async function listExtras({ db, clock }: { db: Connection; clock: Clock }, id: string): Promise<Extra[]> {
  const { id: itemId, metadata } = await getItem({ db }, id)
  const now = clock.now()
  const since = new Date(now.getTime() - CACHED_MILLISECONDS)
  let remote = await selectCachedExtras(db, { itemId, since })
  if (remote === undefined) {
    remote = listRemoteTrailers({ itemId, metadata })
    await upsertExtras(db, { itemId, extras: remote, now })
  }
  return mergeExtras(await selectLocalExtras(db, itemId), remote)
}
