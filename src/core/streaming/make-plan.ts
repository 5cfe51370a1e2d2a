import type { MediaItemDetail } from '../catalogue/index.ts'
import type { Config } from '../platform/config/index.ts'
import type { Database } from '../platform/database/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { MediaTools } from '../platform/media-tools/index.ts'
import type { ReaderPool } from '../probing/index.ts'
import { listSubtitleTracks } from '../subtitles/index.ts'
import type { AudioTrack } from '../tracks/index.ts'
import { chooseLadder } from './choose-ladder.ts'
import type { DeviceProfile } from './device-profiles.ts'
import { storedLoudness } from './loudness.ts'
import { planSound } from './plan-sound.ts'
import { planStream } from './plan-stream.ts'
import { playedSound, withSound } from './played-sound.ts'
import { findSourceFile, type SourceFile } from './source-file.ts'
import { isRecording } from './recordings.ts'
import { ensureStreamIndex } from './source-index.ts'
import { readFilmSource, type FilmSource } from './source-profile.ts'
import type { StreamJob } from './stream-job.ts'

type Services = {
  db: Database
  config: Config
  log: Logger
  mediaTools: Pick<MediaTools, 'packets'>
  readers: ReaderPool
}

/** A file without tables of key frames is read through at once, but a request waits no longer than this for it. */
const INDEX_TIMEOUT_SECONDS = 15

/** For whom a file is planned. */
export type PlanTarget = {
  profile: DeviceProfile
  mapsTones: boolean
  /** The language of the played sound where the file has it; null for the file's own default. */
  soundLanguage: string | null
  /** The stream of subtitles that is drawn into the picture; null for none. */
  burnedStream: number | null
}

/** What the plan of one file follows from. */
export type PlanOrder = PlanTarget & {
  item: MediaItemDetail
  /** Its facts of sound are those of the played track. */
  film: FilmSource | undefined
  /** The played track; undefined where there is no sound, or nothing is stored of its tracks. */
  sound: AudioTrack | undefined
  file: SourceFile
}

/** @throws AppError those of opening the file */
export async function orderOf(services: Services, item: MediaItemDetail, target: PlanTarget): Promise<PlanOrder> {
  const own = readFilmSource(item)
  const sound = playedSound(item.streams, { film: own, language: target.soundLanguage })
  const film = own === undefined || sound === undefined ? own : withSound(own, sound, item.streams)
  return { ...target, item, film, sound, file: await findSourceFile(services, item) }
}

/**
 * Plans one file. The key frames are only asked for where the picture may be copied; reading for them may take a while.
 * @param options.allowsCopy off: the picture is encoded even where it could be copied
 * @throws AppError `not_transcodable`
 */
export async function makePlan(
  services: Services,
  { item, film, sound, file, profile, mapsTones, burnedStream }: PlanOrder,
  { allowsCopy = true }: { allowsCopy?: boolean } = {},
): Promise<StreamJob> {
  if (film === undefined) {
    const plan = planSound(item, { file, played: sound, subtitles: await listSubtitleTracks(services, item) })
    return { ...plan, loudness: await loudnessOf(services, plan) }
  }
  const { videoStreamIndex: streamIndex, container } = film
  const wanted = { itemId: item.id, file, streamIndex, container, timeoutSeconds: INDEX_TIMEOUT_SECONDS }
  const mayBeCopied = burnedStream === null && chooseLadder(film, profile).some(({ isCopy }) => isCopy)
  const [index, subtitles] = await Promise.all([
    mayBeCopied || isRecording(container) ? ensureStreamIndex(services, wanted) : undefined,
    listSubtitleTracks(services, item),
  ])
  const plan = planStream(film, {
    file,
    profile,
    streams: item.streams,
    subtitles,
    index,
    mapsTones,
    allowsCopy,
    burnedStream,
  })
  return { ...plan, loudness: await loudnessOf(services, plan) }
}

/** Null while normalisation is off, and until the file has been measured. */
export async function loudnessOf(
  { config }: Pick<Services, 'config'>,
  plan: StreamJob,
): Promise<StreamJob['loudness']> {
  return config.options['hls.loudness'] ? storedLoudness({ config }, plan) : null
}
