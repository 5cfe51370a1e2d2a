import { findCachedItems, type CatalogueCache, type MediaItem } from '../catalogue/index.ts'
import type { Database } from '../platform/database/index.ts'
import { selectUnfinishedItems } from './queries/playback-states.ts'
import type { PlaybackState } from './playback-session.ts'

/** An item with the position of the profile. */
export type UnfinishedItem = { item: MediaItem; state: PlaybackState }

const DEFAULT_LIMIT = 10
const MAX_LIMIT = 50

/**
 * Items that a profile has started and not finished, newest first, each item once with its newest state over all the profile's sessions. Items
 * whose file is missing are left out until it is found again.
 * @param input.limit default 10, clamped to 1…50
 */
export async function listContinueWatching(
  { db, catalogueCache }: { db: Database; catalogueCache: CatalogueCache },
  { profileId, limit = DEFAULT_LIMIT }: { profileId: string; limit?: number | undefined },
): Promise<UnfinishedItem[]> {
  const count = Math.min(Math.max(limit, 1), MAX_LIMIT)
  const states = await selectUnfinishedItems(db, { profileId, limit: count })
  const items = await findCachedItems(
    { catalogueCache },
    states.map(({ mediaItemId }) => mediaItemId),
  )
  const stateOf = new Map(states.map((state) => [state.mediaItemId, state]))
  return items.flatMap((item) => {
    const state = stateOf.get(item.id)
    return state === undefined ? [] : [{ item, state }]
  })
}
