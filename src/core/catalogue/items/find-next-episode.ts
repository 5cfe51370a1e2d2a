import type { Connection } from '../../platform/database/index.ts'
import type { MediaItem } from '../item/media-item.ts'
import { selectNextEpisode } from '../queries/episodes.ts'
import { findItems } from './find-items.ts'
import { getItem } from './get-item.ts'

/**
 * The episode after an episode, watched or not.
 * @returns undefined for the last one, and for items that are no episodes
 * @throws AppError `media_item_not_found`
 */
export async function findNextEpisode({ db }: { db: Connection }, id: string): Promise<MediaItem | undefined> {
  const item = await getItem({ db }, id)
  const nextId = item.type === 'episode' ? await selectNextEpisode(db, item.id) : undefined
  return nextId === undefined ? undefined : (await findItems({ db }, [nextId]))[0]
}
