import { catalogueErrors, findNextEpisode, getItem, type MediaItem } from '../../../core/catalogue/index.ts'
import { AppError } from '../../../core/platform/errors/index.ts'
import type { SigningServices } from '../../../core/services.ts'
import { watchGroupErrors, type WatchGroup } from '../../../core/watch-together/index.ts'

type NextItem = { item: MediaItem; isFromQueue: boolean }

type Services = Pick<SigningServices, 'db'>

/**
 * What a group plays next: the first item of its queue, else the episode after the current one. Entries of the queue that
 * have no file, or whose item is gone, are left out.
 * @throws AppError `no_next_item`
 */
export async function findNextGroupItem(services: Services, { queue, timeline }: WatchGroup): Promise<NextItem> {
  for (const { mediaId } of queue) {
    const item = await orUndefined(getItem(services, mediaId))
    if (item !== undefined && item.path !== null) return { item, isFromQueue: true }
  }
  const { mediaId } = timeline
  const item = mediaId === null ? undefined : await orUndefined(findNextEpisode(services, mediaId))
  if (item === undefined) throw watchGroupErrors.no_next_item()
  return { item, isFromQueue: false }
}

async function orUndefined<Item>(found: Promise<Item>): Promise<Item | undefined> {
  try {
    return await found
  } catch (error) {
    if (error instanceof AppError && error.code === catalogueErrors.media_item_not_found.definition.code)
      return undefined
    throw error
  }
}
