import type { CatalogueCache, MediaItem } from '../../src/core/catalogue/index.ts'
import type { Database } from '../../src/core/platform/database/index.ts'
import type { Clock } from '../../src/core/platform/time/index.ts'
import { listContinueWatching, recordProgress, startPlaybackSession } from '../../src/core/playback/index.ts'
import { rateItem, readUserData, setFavourite } from '../../src/core/user-items/index.ts'
import { makeUser } from './catalogue-items.ts'

const POSITION_TICKS = 7_000_000

/**
 * Creates a user with a favourite, a rating and a position for an item.
 * @returns a function that reads the user's current data of the item
 */
export async function createUserData(
  services: { db: Database; clock: Clock; catalogueCache: CatalogueCache },
  { id: itemId }: Pick<MediaItem, 'id'>,
): Promise<() => Promise<unknown>> {
  const accountId = await makeUser(services.db, `viewer-${itemId.slice(0, 8)}`)
  await setFavourite(services, { profileId: accountId, itemId, isFavourite: true })
  await rateItem(services, { profileId: accountId, itemId, rating: 9 })
  const device = { deviceId: null, deviceName: null, deviceType: null }
  const { id: sessionId } = await startPlaybackSession(services, { profileId: accountId, ...device })
  const place = { positionTicks: POSITION_TICKS, durationTicks: 20_000_000, isPaused: true }
  await recordProgress(services, { profileId: accountId, sessionId, mediaItemId: itemId, ...place })
  return async () => {
    const { isFavourite, rating } = await readUserData(services, { profileId: accountId, itemId })
    const unfinished = await listContinueWatching(services, { profileId: accountId })
    return { isFavourite, rating, positions: unfinished.map(({ item, state }) => [item.id, state.positionTicks]) }
  }
}
