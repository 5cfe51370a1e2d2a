import type { MediaItemDetail } from '../../catalogue/index.ts'
import type { GetLibraryPaths } from '../../libraries/index.ts'
import type { Config } from '../../platform/config/index.ts'
import type { Database } from '../../platform/database/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { MediaTools } from '../../platform/media-tools/index.ts'
import type { ReaderPool } from '../../probing/index.ts'
import { listSubtitleTracks } from '../../subtitles/index.ts'
import type { AudioTrack } from '../../tracks/index.ts'
import { chooseLadder } from '../ladder/choose-ladder.ts'
import type { DeviceProfile } from '../job/device-profiles.ts'
import { readStoredLoudness } from '../loudness/loudness.ts'
import { planAudio } from './plan-audio.ts'
import { planStream } from './plan-stream.ts'
import { choosePlayedAudioTrack, setDefaultAudioTrack } from '../source/played-audio-track.ts'
import { findSourceFile, type SourceFile } from '../source/source-file.ts'
import { isRecording } from '../source/recordings.ts'
import { ensureStreamIndex } from '../source/stream-index.ts'
import { loadFilmSource, type FilmSource } from '../source/film-source.ts'
import type { StreamPlan } from '../job/stream-plan.ts'

type Services = {
  db: Database
  getLibraryPaths: GetLibraryPaths
  config: Config
  log: Logger
  mediaTools: Pick<MediaTools, 'listPackets'>
  readers: ReaderPool
}

/** Maximum wait for the index of key frames. A file without one is read completely. */
const INDEX_TIMEOUT_SECONDS = 15

/** The target of a plan: device, tone mapping, languages and subtitles. */
export type PlanTarget = {
  profile: DeviceProfile
  mapsTones: boolean
  /** Language of the played audio if the file has it; null for the file's own default. */
  audioLanguage: string | null
  /** The subtitle stream that is burned into the video; null for none. */
  burnedStream: number | null
}

/** The inputs of the plan of one file. */
export type FilePlanInput = PlanTarget & {
  item: MediaItemDetail
  /** The source of the film; its audio properties describe the played track. */
  film: FilmSource | undefined
  /** The played track; undefined if there is no audio, or the tracks are not stored. */
  sound: AudioTrack | undefined
  file: SourceFile
}

/** Collects the inputs of a plan. @throws AppError with the errors of opening the file */
export async function loadFilePlanInput(
  services: Services,
  item: MediaItemDetail,
  target: PlanTarget,
): Promise<FilePlanInput> {
  const own = loadFilmSource(item)
  const sound = choosePlayedAudioTrack(item.streams, { film: own, language: target.audioLanguage })
  const film = own === undefined || sound === undefined ? own : setDefaultAudioTrack(own, sound, item.streams)
  return { ...target, item, film, sound, file: await findSourceFile(services, item) }
}

/**
 * Plans one file. Key frames are read only if the video may be copied or the clock may jump, because reading may take long.
 * @param options.allowsCopy false forces encoding even if the video could be copied
 * @throws AppError `not_transcodable`
 */
export async function makePlan(
  services: Services,
  { item, film, sound, file, profile, mapsTones, burnedStream }: FilePlanInput,
  { allowsCopy = true }: { allowsCopy?: boolean } = {},
): Promise<StreamPlan> {
  if (film === undefined) {
    const plan = planAudio(item, { file, played: sound, subtitles: await listSubtitleTracks(services, item) })
    return { ...plan, loudness: await loudnessForPlan(services, plan) }
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
  return { ...plan, loudness: await loudnessForPlan(services, plan) }
}

/** Returns null if normalisation is off, or the file has not been measured yet. */
export async function loudnessForPlan(
  { config }: Pick<Services, 'config'>,
  plan: StreamPlan,
): Promise<StreamPlan['loudness']> {
  return config.options['hls.loudness'] ? readStoredLoudness({ config }, plan) : null
}
