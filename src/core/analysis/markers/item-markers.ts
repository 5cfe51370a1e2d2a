import { getItem, listItemParts, type MediaItemDetail } from '../../catalogue/index.ts'
import type { Connection, Database } from '../../platform/database/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { markersFromChapters } from './markers-from-chapters.ts'
import { analysisErrors } from '../errors.ts'
import {
  deleteManualMarkers,
  selectItemsWithMarker,
  selectMarkers,
  upsertManualMarker,
  type StoredMarker,
} from '../queries/markers.ts'
import { MARKER_TYPES, type Marker, type MarkerType } from '../film/marker.ts'

/** The item with the files that follow its own, as `listItemParts` returns them. */
type MarkedItem = Readonly<{ item: MediaItemDetail; parts: readonly MediaItemDetail[] }>

/**
 * The markers of an item by time, at most one of each type. Stored markers have priority. If a type has no stored marker, the chapter names
 * supply one, even before an analysis. The files of an item with several files are on one time line.
 */
export async function listMarkers({ db }: { db: Connection }, { item, parts }: MarkedItem): Promise<Marker[]> {
  const files = [item, ...parts]
  const stored = Map.groupBy(
    await selectMarkers(
      db,
      files.map(({ id }) => id),
    ),
    ({ itemId }) => itemId,
  )
  // If an administrator marked a type as absent, no file of the item has a marker of that type.
  const absent = new Set(
    (stored.get(item.id) ?? []).flatMap(({ type, startMilliseconds: at }) => (at === null ? type : [])),
  )
  let startMilliseconds = 0
  const markers: Marker[] = []
  for (const [index, file] of files.entries()) {
    const own = markersOfFile(file, stored.get(file.id) ?? [])
    const isLast = index === files.length - 1
    // Only the first file has the intro of the film, and only the last one its credits. Manual markers are always kept.
    const shown = own.filter(
      ({ type, source }) => source === 'manual' || ((index === 0 || type !== 'intro') && (isLast || type !== 'outro')),
    )
    for (const marker of shown) {
      if (absent.has(marker.type) || markers.some(({ type }) => type === marker.type)) continue
      markers.push(shifted(marker, startMilliseconds))
    }
    startMilliseconds += Math.round((file.fileSeconds ?? 0) * 1000)
  }
  return markers.toSorted((one, other) => one.startMilliseconds - other.startMilliseconds)
}

function markersOfFile({ chapters }: MediaItemDetail, stored: readonly StoredMarker[]): Marker[] {
  const ofChapters = markersFromChapters(chapters).filter(({ type }) => stored.every((marker) => marker.type !== type))
  const own = stored.flatMap(({ type, startMilliseconds, endMilliseconds, source, confidence }): Marker[] =>
    startMilliseconds === null || endMilliseconds === null
      ? []
      : [{ type, startMilliseconds, endMilliseconds, source, confidence }],
  )
  return [...own, ...ofChapters]
}

function shifted(marker: Marker, byMilliseconds: number): Marker {
  return {
    ...marker,
    startMilliseconds: marker.startMilliseconds + byMilliseconds,
    endMilliseconds: marker.endMilliseconds + byMilliseconds,
  }
}

/** What an administrator says about one type; null: the item has no such part. */
export type ManualMarker = Readonly<{
  type: MarkerType
  range: Readonly<{ startMilliseconds: number; endMilliseconds: number }> | null
}>

/** The largest time that a marker can have: a day. */
const MAX_MILLISECONDS = 24 * 3600 * 1000

/**
 * Stores the markers of an administrator. No analysis changes them.
 * @throws AppError `media_item_not_found`, `markers_invalid`; nothing is stored then
 */
export async function setMarkers(
  { db, clock }: { db: Database; clock: Clock },
  { itemId, markers }: { itemId: string; markers: readonly ManualMarker[] },
): Promise<Marker[]> {
  const item = await getItem({ db }, itemId)
  if (item.type !== 'movie' && item.type !== 'episode' && item.type !== 'video') {
    throw analysisErrors.markers_invalid({ message: `an item of type ${item.type} has no markers` })
  }
  const durationMilliseconds = item.durationSeconds === null ? MAX_MILLISECONDS : item.durationSeconds * 1000
  if (new Set(markers.map(({ type }) => type)).size < markers.length) {
    throw analysisErrors.markers_invalid({ message: 'each type may occur once' })
  }
  for (const { type, range } of markers) checkRange(type, range, durationMilliseconds)
  const now = clock.now()
  await db.transaction(async (connection) => {
    for (const { type, range } of markers) await upsertManualMarker(connection, { itemId: item.id, type, range, now })
  })
  return listMarkers({ db }, { item, parts: await listItemParts({ db }, item.id) })
}

function checkRange(type: MarkerType, range: ManualMarker['range'], durationMilliseconds: number): void {
  if (range === null) return
  const { startMilliseconds, endMilliseconds } = range
  const isWhole = Number.isSafeInteger(startMilliseconds) && Number.isSafeInteger(endMilliseconds)
  if (!isWhole || startMilliseconds < 0 || endMilliseconds <= startMilliseconds) {
    throw analysisErrors.markers_invalid({ message: `${type} must begin at 0 or later, and end after its beginning` })
  }
  // One extra second is allowed, because clients round the duration.
  if (endMilliseconds > Math.min(durationMilliseconds + 1000, MAX_MILLISECONDS)) {
    throw analysisErrors.markers_invalid({ message: `${type} ends after the end of the film` })
  }
}

/**
 * Removes the markers that an administrator set. The next analysis detects the markers of the item again.
 * @throws AppError `media_item_not_found`
 */
export async function clearMarkers({ db }: { db: Database }, itemId: string): Promise<void> {
  const item = await getItem({ db }, itemId)
  await db.transaction(async (connection) => deleteManualMarkers(connection, item.id))
}

/**
 * Returns the ids of listed items that have a marker of `type`, in title order. With `near`, the marker must contain that time or lie within
 * `near.within` milliseconds of it.
 */
export async function findItemsByMarker(
  { db }: { db: Connection },
  query: { type: MarkerType; near: { milliseconds: number; within: number } | null; limit: number },
): Promise<string[]> {
  return selectItemsWithMarker(db, query)
}

/** Whether a text is a type of marker. */
export function isMarkerType(text: string): text is MarkerType {
  return MARKER_TYPES.some((type) => type === text)
}
