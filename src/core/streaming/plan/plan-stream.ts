import type { MediaStream } from '../../catalogue/index.ts'
import { isDecodedPicture } from '../../platform/media-tools/index.ts'
import type { StreamIndex } from '../../probing/index.ts'
import type { SubtitleTrack } from '../../subtitles/index.ts'
import { chooseLadder } from '../ladder/choose-ladder.ts'
import { findEntryPoints } from '../timeline/clock-restarts.ts'
import { copiedBitRates } from './copied-bit-rates.ts'
import { computeCopyCuts } from './copy-cuts.ts'
import type { DeviceProfile } from '../job/device-profiles.ts'
import { makeFilmGrid, removeClockJumps } from './film-grid.ts'
import { segmentCount } from '../timeline/segment-timeline.ts'
import { MAX_SEGMENTS } from '../job/segment-name.ts'
import { streamingErrors } from '../errors.ts'
import type { SourceFile } from '../source/source-file.ts'
import type { FilmSource } from '../source/film-source.ts'
import { audioRendition, sourceAudioTracks } from '../source/source-audio-tracks.ts'
import { HDR_TRANSFERS, type StreamPlan } from '../job/stream-plan.ts'
import { assignSubtitleNumbers } from '../job/stream-subtitles.ts'

const MICROSECONDS_PER_SECOND = 1_000_000

/** Containers with an index of their key frames: a seek arrives at one. */
const INDEXED = new Set(['mp4', 'mov', 'm4v', 'm4a', 'm4b', '3gp', '3g2', 'mkv', 'webm', 'mka', 'mk3d', 'avi'])

const INDEXED_MARGIN_SECONDS = 0.5
/** Longer than the distance between key frames in broadcasts and on discs. */
const SEARCHED_MARGIN_SECONDS = 12

/** Longer than a subtitle is displayed: a segment also shows subtitles that began before it. */
const BURNED_MARGIN_SECONDS = 15

/** The inputs of a plan besides the film. */
export type PlanInput = Readonly<{
  file: SourceFile
  profile: DeviceProfile
  /** Streams of the item. If they contain no audio tracks, the film's audio stream is used. */
  streams: readonly MediaStream[]
  subtitles: readonly SubtitleTrack[]
  /** False: high dynamic range is encoded without tone mapping, and looks pale on ordinary screens. */
  mapsTones: boolean
  /** False: the video is encoded even if it could be copied. */
  allowsCopy?: boolean
  /** The subtitle stream that is burned into the video; excludes a copy. */
  burnedStream?: number | null
  /** Undefined if the key frames are unknown. */
  index: StreamIndex | undefined
}>

/**
 * Returns the plan of a job: grid, renditions, and how to read the source. Pure.
 * @throws AppError `not_transcodable` for a film with more segments than names, and for a video codec that is not decoded
 */
export function planStream(stored: FilmSource, input: PlanInput): StreamPlan {
  const { file, profile, index, burnedStream = null } = input
  if (!isDecodedPicture(stored.videoCodec)) {
    throw streamingErrors.not_transcodable({
      message: `the picture is ${stored.videoCodec}, which is not decoded here`,
    })
  }
  const film = index === undefined ? stored : removeClockJumps(stored, index)
  const videoStartMicroseconds = Math.round(film.videoStartSeconds * MICROSECONDS_PER_SECOND)
  const grid = makeFilmGrid(film, index)
  const cuts =
    index === undefined || input.allowsCopy === false || burnedStream !== null
      ? null
      : computeCopyCuts(index, { ...film, videoStartMicroseconds, timeline: grid })
  if (segmentCount(grid) > MAX_SEGMENTS) throw streamingErrors.not_transcodable({ message: 'the film is too long' })
  const rates =
    index === undefined || cuts === null ? null : copiedBitRates(index, { copy: cuts, zero: videoStartMicroseconds })
  const audioTracks = sourceAudioTracks(film, input.streams)
  const facts = { isCuttable: cuts !== null, copiedRates: rates, hasAdditionalAudio: audioTracks.length > 1 }
  const pictures = chooseLadder({ ...film, ...facts }, profile)
  return {
    source: {
      ...file,
      videoStreamIndex: film.videoStreamIndex,
      audioTracks,
      videoStartMicroseconds,
      containerStartMicroseconds: Math.round(film.containerStartSeconds * MICROSECONDS_PER_SECOND),
      seekMarginSeconds: seekMarginSeconds(film, burnedStream),
      ...jumpsOf(index, videoStartMicroseconds),
      isInterlaced: film.isInterlaced,
      ...(burnedStream === null ? {} : { burnedStreamIndex: burnedStream }),
      hdrTransfer: input.mapsTones ? detectHdrTransfer(film) : null,
    },
    grid,
    copy: pictures.some(({ isCopy }) => isCopy) ? cuts : null,
    loudness: null,
    startMicroseconds: 0,
    parts: [],
    renditions: [...pictures, ...audioTracks.filter(({ isDefault }) => !isDefault).map(audioRendition)],
    subtitles: assignSubtitleNumbers(input.subtitles),
  }
}

/** Returns the jumps of the file's clock relative to the job's zero, and the entries where reading may begin. */
function jumpsOf(index: StreamIndex | undefined, zero: number): Pick<StreamPlan['source'], 'jumps' | 'entries'> {
  if (index === undefined) return { jumps: [], entries: [] }
  const jumps = index.jumps.map(({ atMicroseconds, byMicroseconds, position }) => ({
    atMicroseconds: atMicroseconds - zero,
    byMicroseconds,
    position,
  }))
  return { jumps, entries: findEntryPoints(index, zero) }
}

function seekMarginSeconds({ container }: FilmSource, burnedStream: number | null): number {
  const margin = INDEXED.has(container) ? INDEXED_MARGIN_SECONDS : SEARCHED_MARGIN_SECONDS
  return burnedStream === null ? margin : Math.max(margin, BURNED_MARGIN_SECONDS)
}

/** Returns the transfer function for tone mapping; null for standard dynamic range and for unknown transfer functions. */
export function detectHdrTransfer({
  colorTransfer,
}: Pick<FilmSource, 'colorTransfer'>): StreamPlan['source']['hdrTransfer'] {
  return HDR_TRANSFERS.find((transfer) => transfer === colorTransfer) ?? null
}
