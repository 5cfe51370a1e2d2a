import type { MediaItem } from '../catalogue/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { readViewerData } from './read-viewer-data.ts'

/** From this share on there is nothing to go on with, as in the list of what can be continued. */
const MAX_PROGRESS = 0.95

/** Where a profile can go on with an item, in ticks; 0 if it was not started, or was finished. */
export async function findResumePosition(
  { db }: { db: Connection },
  { profileId, item }: { profileId: string; item: Pick<MediaItem, 'id' | 'type'> },
): Promise<number> {
  const data = (await readViewerData({ db }, { profileId, items: [item] })).get(item.id)
  return data === undefined || data.progress >= MAX_PROGRESS ? 0 : data.positionTicks
}
