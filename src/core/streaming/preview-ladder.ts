import type { MediaItem } from '../catalogue/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { explainLadder, type LadderStep } from './choose-ladder.ts'
import { copyCuts } from './copy-cuts.ts'
import { resolveDeviceProfile, type DeviceProfile } from './device-profiles.ts'
import { outputFrameRate } from './frame-grid.ts'
import { findStreamIndex } from './queries.ts'
import type { VideoRendition } from './rendition.ts'
import { readFilmSource, type FilmSource } from './source-profile.ts'

type Item = Pick<MediaItem, 'id' | 'metadata' | 'durationSeconds' | 'container'>
type Request = { profile?: string | undefined; deviceType?: string | undefined }

/**
 * What a job of this item would offer, from stored facts alone: no job is made and no file is touched. Null where
 * nothing usable is stored (document 2, playback-info).
 */
export async function previewLadder(
  services: { db: Connection },
  item: Item,
  request: Request,
): Promise<VideoRendition[] | null> {
  const explained = await explainItemLadder(services, item, request)
  return explained?.steps.flatMap(({ rendition }) => rendition ?? []) ?? null
}

export type ExplainedLadder = Readonly<{ film: FilmSource; profile: DeviceProfile; steps: readonly LadderStep[] }>

/** The same with the reason for each rung that is kept or dropped. */
export async function explainItemLadder(
  { db }: { db: Connection },
  item: Item,
  request: Request,
): Promise<ExplainedLadder | null> {
  const film = readFilmSource(item)
  if (film === undefined) return null
  const profile = resolveDeviceProfile(request)
  const index = await findStreamIndex(db, { mediaItemId: item.id, file: null })
  const videoStartMicroseconds = Math.round(film.videoStartSeconds * 1_000_000)
  const frameRate = outputFrameRate(film.frameRate)
  // Before anybody has looked it is taken for granted, since most films can be cut.
  const isCuttable =
    index === undefined ? null : copyCuts(index, { ...film, videoStartMicroseconds, frameRate }) !== null
  return { film, profile, steps: explainLadder({ ...film, isCuttable }, profile) }
}
