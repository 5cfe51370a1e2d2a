import { findAncestors, getItem, type MediaItem, type MediaItemDetail } from '../catalogue/index.ts'
import { getTrack } from '../music/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { isJsonObject } from '../platform/json/index.ts'
import type { ScrobbledIds, ScrobbledEpisode, ScrobbledItem, ScrobbledTrack } from './reported-play.ts'

/**
 * The facts about an item that are sent to services. Undefined for items that no service knows: photos, books, tracks without artist, episodes
 * without number or series.
 * @throws AppError `media_item_not_found`, `track_not_found` if the item has been removed
 */
export async function loadPlayedItem(
  services: { db: Connection },
  { mediaItemId, mediaType }: { mediaItemId: string; mediaType: string },
): Promise<ScrobbledItem | undefined> {
  // Songs have the type `audio`.
  if (mediaType === 'audio' || mediaType === 'track') return trackOf(await getTrack(services, mediaItemId))
  if (mediaType === 'movie') {
    const item = await getItem(services, mediaItemId)
    const { durationSeconds } = item
    return { type: 'movie', ...workOf(item), durationSeconds }
  }
  if (mediaType === 'episode') return episodeOf(services, await getItem(services, mediaItemId))
  return undefined
}

function trackOf(track: Awaited<ReturnType<typeof getTrack>>): ScrobbledTrack | undefined {
  const { name, artist, album, trackNumber, durationSeconds } = track
  return artist === null ? undefined : { type: 'track', name, artist, album, trackNumber, durationSeconds }
}

async function episodeOf(services: { db: Connection }, item: MediaItemDetail): Promise<ScrobbledEpisode | undefined> {
  const { seasonNumber, episodeNumber, durationSeconds } = item
  const seriesId = (await findAncestors(services, [item])).get(item.id)?.at(-1)
  if (seasonNumber === null || episodeNumber === null || seriesId === undefined) return undefined
  const series = workOf(await getItem(services, seriesId))
  return { type: 'episode', series, seasonNumber, episodeNumber, durationSeconds }
}

function workOf({ name, year, metadata }: MediaItem): { title: string; year: number | null; ids: ScrobbledIds } {
  const ids = metadata['external_ids']
  if (!isJsonObject(ids)) return { title: name, year, ids: {} }
  const known = Object.entries(ids).flatMap(([provider, id]) =>
    typeof id === 'string' || typeof id === 'number' ? [[provider, String(id)] as const] : [],
  )
  return { title: name, year, ids: Object.fromEntries(known) }
}
