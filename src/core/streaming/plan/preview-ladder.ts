import type { MediaItem, MediaItemDetail } from '../../catalogue/index.ts'
import type { Connection } from '../../platform/database/index.ts'
import { chooseLadder, explainLadder, type LadderCandidate } from '../ladder/choose-ladder.ts'
import { copiedBitRates } from './copied-bit-rates.ts'
import { computeCopyCuts } from './copy-cuts.ts'
import { resolveDeviceProfile, type DeviceProfile } from '../job/device-profiles.ts'
import { makeFilmGrid, removeClockJumps } from './film-grid.ts'
import { findStreamIndex } from '../source/queries.ts'
import type { VideoRendition } from '../job/rendition.ts'
import { sourceAudioTracks } from '../source/source-audio-tracks.ts'
import { loadFilmSource, type FilmSource } from '../source/film-source.ts'

type Item = Pick<MediaItem, 'id' | 'metadata' | 'fileSeconds' | 'container'> & Partial<Pick<MediaItemDetail, 'streams'>>
type Request = { profile?: string | undefined; deviceType?: string | undefined }

/**
 * Returns the renditions that a job of this item would offer, from stored facts alone: no job is created and no file is read. Null if no
 * usable facts are stored.
 * @param film.parts the further files of the item; the video is copied only if the video of every file can be copied
 */
export async function previewLadder(
  services: { db: Connection },
  { item, parts }: { item: Item; parts: readonly Item[] },
  request: Request,
): Promise<VideoRendition[] | null> {
  const explained = await explainItemLadder(services, item, request)
  if (explained === null) return null
  const ladder = renditionsOf(explained)
  const following = await Promise.all(parts.map((part) => explainItemLadder(services, part, request)))
  const isCopied = following.every((part) => part !== null && renditionsOf(part).some(({ isCopy }) => isCopy))
  if (isCopied) return ladder
  return chooseLadder({ ...explained.film, isCuttable: false }, explained.profile)
}

function renditionsOf({ steps }: ExplainedLadder): VideoRendition[] {
  return steps.flatMap(({ rendition }) => rendition ?? [])
}

export type ExplainedLadder = Readonly<{ film: FilmSource; profile: DeviceProfile; steps: readonly LadderCandidate[] }>

/** Returns all candidates, kept or dropped, with their reasons. */
export async function explainItemLadder(
  { db }: { db: Connection },
  item: Item,
  request: Request,
): Promise<ExplainedLadder | null> {
  const stored = loadFilmSource(item)
  if (stored === undefined) return null
  const profile = resolveDeviceProfile(request)
  const index = await findStreamIndex(db, { mediaItemId: item.id, file: null })
  const film = index === undefined ? stored : removeClockJumps(stored, index)
  const videoStartMicroseconds = Math.round(film.videoStartSeconds * 1_000_000)
  // Null means unknown, which the ladder treats as possible because most films can be cut.
  const copy =
    index === undefined
      ? null
      : computeCopyCuts(index, { ...film, videoStartMicroseconds, timeline: makeFilmGrid(film, index) })
  const facts = {
    isCuttable: index === undefined ? null : copy !== null,
    hasAdditionalAudio: sourceAudioTracks(film, item.streams ?? []).length > 1,
    copiedRates:
      index === undefined || copy === null ? null : copiedBitRates(index, { copy, zero: videoStartMicroseconds }),
  }
  const known = { ...film, ...facts }
  return { film: known, profile, steps: explainLadder(known, profile) }
}
