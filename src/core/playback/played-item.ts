import { getItem, listItemParts } from '../catalogue/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { Id } from './own-session.ts'
import { lockItem } from './queries/states.ts'
import { TICKS_PER_SECOND } from './session.ts'

/** What a player says that it plays, as places and plays count it. */
export type PlayedItem = {
  /** Of a version or a part: the film, so that a viewer who chose one finds the place in the film. */
  mediaItemId: string
  /** Of what is played, with all its parts; null where the catalogue does not know. */
  durationTicks: number | null
  /** Null for what is no part. */
  part: PlayedPart | null
}

/** Where a part is in its film. */
type PlayedPart = { startTicks: number; endTicks: number; isLast: boolean }

/** Finds what is played, and locks it: always the first lock of a transaction. Undefined where there is no such item. */
export async function lockPlayedItem(
  connection: Connection,
  { userId, mediaItemId }: { userId: string; mediaItemId: string },
): Promise<PlayedItem | undefined> {
  if (!Id.safeParse(mediaItemId).success) return undefined
  const played = await lockItem(connection, { userId, mediaItemId })
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
  // One of unknown length is played behind all others.
  if (place === -1) return { startTicks: ticksBefore(files.length), endTicks: ticksBefore(files.length), isLast: true }
  return { startTicks: ticksBefore(place), endTicks: ticksBefore(place + 1), isLast: place === files.length - 1 }
}
