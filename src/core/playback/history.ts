import {
  catalogueErrors,
  checkPage,
  findItems,
  findListedItems,
  type CatalogueCache,
  type ListedItem,
  type MediaItem,
  type Page,
  type PageRequest,
} from '../catalogue/index.ts'
import { isRowId, type Connection, type Database } from '../platform/database/index.ts'
import { deletePlayedItems, selectMostPlayed, selectNextUp, selectPlayedItems } from './queries/history.ts'
import type { PlaybackState } from './playback-session.ts'

/** An item that a profile has played, with the progress. */
export type PlayedItem = {
  item: MediaItem
  state: Pick<PlaybackState, 'status' | 'positionTicks' | 'durationTicks' | 'updatedAt'>
  /** 0 to 1; 1 if the end was reached. */
  progress: number
}

/** The items that a profile has played, each once, the newest first; including finished items. */
export async function listHistory(
  { db }: { db: Connection },
  { profileId, ...request }: PageRequest & { profileId: string },
): Promise<Page & { played: PlayedItem[] }> {
  const page = checkPage(request)
  const rows = await selectPlayedItems(db, { profileId, ...page })
  const stateOf = new Map(rows.map((row) => [row.mediaItemId, row]))
  const items = await findItems({ db }, [...stateOf.keys()])
  const played = items.flatMap((item): PlayedItem[] => {
    const state = stateOf.get(item.id)
    return state === undefined ? [] : [{ item, state, progress: fractionWatched(state) }]
  })
  return { played, ...page }
}

/** 1 if the end was reached. */
export function fractionWatched({
  status,
  positionTicks,
  durationTicks,
}: Pick<PlaybackState, 'status' | 'positionTicks' | 'durationTicks'>): number {
  if (status === 'stopped') return 1
  return durationTicks === null ? 0 : Math.round((positionTicks / durationTicks) * 10_000) / 10_000
}

/**
 * Deletes the playback history of a profile: positions and counted plays, of one item or of all. Marks as watched stay.
 * @throws AppError `media_item_not_found` for an item that the profile has not played
 */
export async function clearHistory(
  { db }: { db: Database },
  { profileId, mediaItemId }: { profileId: string; mediaItemId?: string | undefined },
): Promise<void> {
  const isItemId = mediaItemId === undefined || isRowId(mediaItemId)
  const found =
    isItemId && (await db.transaction((connection) => deletePlayedItems(connection, { profileId, mediaItemId })))
  if (!found && mediaItemId !== undefined) throw catalogueErrors.media_item_not_found()
}

const MAX_WATCHED_LIMIT = 20

/**
 * The items that all users together have played most often.
 * @param input.limit default 20, clamped to 1…100
 */
export async function listMostWatched(
  { db, catalogueCache }: { db: Database; catalogueCache: CatalogueCache },
  { limit: wanted = MAX_WATCHED_LIMIT }: { limit?: number | undefined },
): Promise<{ items: ListedItem[]; limit: number }> {
  const { limit } = checkPage({ limit: wanted })
  return { items: await findListedItems({ catalogueCache }, await selectMostPlayed(db, limit)), limit }
}

/** The next episode of a series that a profile watches. */
export type NextEpisode = { item: MediaItem; seriesId: string; seriesName: string }

const NEXT_UP_LIMIT = 20
const MAX_NEXT_UP = 50

/**
 * The next episode of each series that a profile has started; the series watched last first.
 * @param input.limit default 20, clamped to 1…50
 */
export async function listNextUp(
  { db }: { db: Connection },
  { profileId, limit = NEXT_UP_LIMIT }: { profileId: string; limit?: number | undefined },
): Promise<NextEpisode[]> {
  const rows = await selectNextUp(db, { profileId, limit: Math.min(Math.max(Math.trunc(limit), 1), MAX_NEXT_UP) })
  const items = await findItems(
    { db },
    rows.map(({ episodeId }) => episodeId),
  )
  const seriesOf = new Map(rows.map(({ episodeId, ...series }) => [episodeId, series]))
  return items.flatMap((item): NextEpisode[] => {
    const series = seriesOf.get(item.id)
    return series === undefined ? [] : [{ item, ...series }]
  })
}
