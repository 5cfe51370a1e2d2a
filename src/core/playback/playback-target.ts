import { getItem, listItemParts } from '../catalogue/index.ts'
import { isRowId, type Connection } from '../platform/database/index.ts'
import { lockPlayedItem } from './queries/playback-states.ts'
import { TICKS_PER_SECOND } from './playback-session.ts'

/** The item for which the position and the plays of a reported file are stored. */
export type PlaybackTarget = {
  /** Id of the item; for a version or a part the id of the film, so that the position is the same in every version. */
  mediaItemId: string
  /** Duration of the played version with all its parts; null if the catalogue does not know it. */
  durationTicks: number | null
  /** Null if the file is not a part. */
  part: PlayedPart | null
}

/** The time range of a part in its film. */
type PlayedPart = { startTicks: number; endTicks: number; isLast: boolean }

/** Finds and locks the item for a reported item id. It must be the first lock of a transaction. Undefined if the item does not exist. */
export async function lockPlaybackTarget(
  connection: Connection,
  { profileId, mediaItemId }: { profileId: string; mediaItemId: string },
): Promise<PlaybackTarget | undefined> {
  if (!isRowId(mediaItemId)) return undefined
  const played = await lockPlayedItem(connection, { profileId, mediaItemId })
  if (played === undefined) return undefined
  const { sourceId, ...item } = played
  return { ...item, part: await findPart(connection, { sourceId, partId: mediaItemId.toLowerCase() }) }
}

async function findPart(
  db: Connection,
  { sourceId, partId }: { sourceId: string; partId: string },
): Promise<PlayedPart | null> {
  if (sourceId === partId) return null
  const files = [await getItem({ db }, sourceId), ...(await listItemParts({ db }, sourceId))]
  const place = files.findIndex(({ id }) => id === partId)
  const ticksBefore = (count: number): number =>
    Math.round(files.slice(0, count).reduce((sum, { fileSeconds }) => sum + (fileSeconds ?? 0), 0) * TICKS_PER_SECOND)
  // A part of unknown duration is treated as the last part.
  if (place === -1) return { startTicks: ticksBefore(files.length), endTicks: ticksBefore(files.length), isLast: true }
  return { startTicks: ticksBefore(place), endTicks: ticksBefore(place + 1), isLast: place === files.length - 1 }
}
