import { chooseLadder } from './choose-ladder.ts'
import type { DeviceProfile } from './device-profiles.ts'
import { makeFrameGrid, outputFrameRate, segmentCount } from './frame-grid.ts'
import { MAX_SEGMENTS } from './segment-name.ts'
import { streamingErrors } from './errors.ts'
import type { SourceFile } from './source-file.ts'
import type { FilmSource } from './source-profile.ts'
import { HDR_TRANSFERS, type SourceAudioTrack, type StreamJob } from './stream-job.ts'

const MICROSECONDS = 1_000_000

/** Containers with an index of their key frames: seeking lands on one. */
const INDEXED = new Set(['mp4', 'mov', 'm4v', 'm4a', 'm4b', '3gp', '3g2', 'mkv', 'webm', 'mka', 'mk3d', 'avi'])
const MATROSKA = new Set(['mkv', 'webm', 'mka', 'mk3d'])

const INDEXED_MARGIN_SECONDS = 0.5
/** Longer than the distance of key frames in broadcasts and on discs. */
const SEARCHED_MARGIN_SECONDS = 12

/**
 * Samples that packet times of a codec are multiples of; a part of the packet size where that may change within a file.
 */
const GRANULES: ReadonlyMap<string, number> = new Map([
  ['aac', 1024],
  ['mp3', 576],
  ['mp2', 1152],
  ['ac3', 1536],
  ['eac3', 256],
  ['dts', 512],
  ['opus', 120],
])

/** Times in Matroska are off by half a millisecond; what divides time finer than that cannot be told apart. */
const SMALLEST_GRANULE_SECONDS = 0.002

/**
 * The plan of a job: grid, rendition, and how to read the source. Pure.
 * @throws AppError `not_transcodable` for a film of more segments than their names can count
 */
export function planStream(
  film: FilmSource,
  { file, profile }: { file: SourceFile; profile: DeviceProfile },
): StreamJob {
  const videoDelaySeconds = film.videoStartSeconds - film.containerStartSeconds
  const grid = makeFrameGrid({
    frameRate: outputFrameRate(film.frameRate),
    durationSeconds: Math.max(0, film.durationSeconds - videoDelaySeconds),
  })
  if (segmentCount(grid) > MAX_SEGMENTS) throw streamingErrors.not_transcodable({ message: 'the film is too long' })
  return {
    source: {
      ...file,
      videoStreamIndex: film.videoStreamIndex,
      audioTracks: audioTracksOf(film),
      videoStartMicroseconds: Math.round(film.videoStartSeconds * MICROSECONDS),
      containerStartMicroseconds: Math.round(film.containerStartSeconds * MICROSECONDS),
      seekMarginSeconds: INDEXED.has(film.container) ? INDEXED_MARGIN_SECONDS : SEARCHED_MARGIN_SECONDS,
      isInterlaced: film.isInterlaced,
      hdrTransfer: HDR_TRANSFERS.find((transfer) => transfer === film.colorTransfer) ?? null,
    },
    grid,
    copy: null,
    loudness: null,
    renditions: chooseLadder({ ...film, isCuttable: false }, profile),
  }
}

function audioTracksOf(film: FilmSource): SourceAudioTrack[] {
  if (film.audioStreamIndex === null) return []
  return [
    {
      streamIndex: film.audioStreamIndex,
      snap: snapOf(film),
      codec: film.audioCodec,
      language: 'und',
      title: null,
      channels: null,
      isDefault: true,
    },
  ]
}

/**
 * How rounded packet times of Matroska are put right; null where they are not rounded, or the packet size is not known.
 */
function snapOf(film: FilmSource) {
  const { audioCodec, audioSampleRate, audioStartSeconds } = film
  const granuleSamples = GRANULES.get(audioCodec ?? '')
  if (!MATROSKA.has(film.container) || granuleSamples === undefined) return null
  if (audioSampleRate === null || audioStartSeconds === null) return null
  if (granuleSamples / audioSampleRate < SMALLEST_GRANULE_SECONDS) return null
  const phaseSamples = Math.round((audioStartSeconds - film.videoStartSeconds) * audioSampleRate)
  return { granuleSamples, phaseSamples }
}
