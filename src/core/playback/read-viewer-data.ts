import type { MediaItem } from '../catalogue/index.ts'
import type { Connection } from '../platform/database/index.ts'
import type { UserData } from '../user-items/index.ts'
import { fractionWatched } from './history.ts'
import { selectViewerData } from './queries/viewer-data.ts'
import type { PlaybackState } from './playback-session.ts'

/** The marks of a profile on an item, and its newest position over all sessions. */
export type ViewerData = UserData &
  Pick<PlaybackState, 'positionTicks' | 'durationTicks'> & {
    /** 0 to 1; 1 if the end was reached. Of a series or season: the watched share of its episodes. */
    progress: number
    /** Of a series or season; null for other items. */
    unwatchedEpisodes: number | null
  }

/**
 * The data of a profile on the items of a page, by item id, in one statement. Items without data have the defaults. A series or season is
 * watched if all of its episodes are.
 */
export async function readViewerData(
  { db }: { db: Connection },
  { profileId, items }: { profileId: string; items: readonly Pick<MediaItem, 'id' | 'type'>[] },
): Promise<ReadonlyMap<string, ViewerData>> {
  if (items.length === 0) return new Map()
  const groupIds = items.filter(({ type }) => type === 'series' || type === 'season').map(({ id }) => id)
  const rows = await selectViewerData(db, { profileId, itemIds: items.map(({ id }) => id), groupIds })
  return new Map(
    rows.map(({ itemId, status, positionTicks, durationTicks, episodes, watchedEpisodes, ...marks }) => {
      const state = status === null || positionTicks === null ? undefined : { status, positionTicks, durationTicks }
      const ofEpisodes = episodes === 0 ? undefined : watchedEpisodes / episodes
      const ofState = state === undefined ? 0 : fractionWatched(state)
      return [
        itemId,
        {
          ...marks,
          isWatched: ofEpisodes === undefined ? marks.isWatched : ofEpisodes === 1,
          positionTicks: positionTicks ?? 0,
          durationTicks,
          progress: ofEpisodes ?? ofState,
          unwatchedEpisodes: groupIds.includes(itemId) ? episodes - watchedEpisodes : null,
        },
      ]
    }),
  )
}
