import type { MediaStream } from '../catalogue/index.ts'
import type { StreamIndex } from '../probing/index.ts'
import type { SubtitleTrack } from '../subtitles/index.ts'
import { chooseLadder } from './choose-ladder.ts'
import { copiedRates } from './copied-rates.ts'
import { copyCuts } from './copy-cuts.ts'
import type { DeviceProfile } from './device-profiles.ts'
import { filmGrid, withoutClockJumps } from './film-timeline.ts'
import { segmentCount } from './segment-timeline.ts'
import { MAX_SEGMENTS } from './segment-name.ts'
import { streamingErrors } from './errors.ts'
import type { SourceFile } from './source-file.ts'
import type { FilmSource } from './source-profile.ts'
import { audioRendition, audioTracksOf } from './source-audio-tracks.ts'
import { HDR_TRANSFERS, type StreamJob } from './stream-job.ts'
import { numberSubtitles } from './stream-subtitles.ts'

const MICROSECONDS = 1_000_000

/** Containers with an index of their key frames: seeking lands on one. */
const INDEXED = new Set(['mp4', 'mov', 'm4v', 'm4a', 'm4b', '3gp', '3g2', 'mkv', 'webm', 'mka', 'mk3d', 'avi'])

const INDEXED_MARGIN_SECONDS = 0.5
/** Longer than the distance of key frames in broadcasts and on discs. */
const SEARCHED_MARGIN_SECONDS = 12

/** Longer than a subtitle stays on the screen: a segment shows those that began before it, too. */
const BURNED_MARGIN_SECONDS = 15

/** What a plan follows from besides the film itself. */
export type PlanInput = Readonly<{
  file: SourceFile
  profile: DeviceProfile
  /** Of the item; where its sound tracks are not known there is the one of the film. */
  streams: readonly MediaStream[]
  subtitles: readonly SubtitleTrack[]
  /** Off: high dynamic range is encoded as it is, and looks pale on ordinary screens. */
  mapsTones: boolean
  /** Off: the picture is encoded even where it could be copied. */
  allowsCopy?: boolean
  /** The stream of subtitles that is drawn into the picture; a copy has none. */
  burnedStream?: number | null
  /** Undefined where nothing is known about the key frames. */
  index: StreamIndex | undefined
}>

/**
 * The plan of a job: grid, renditions, and how to read the source. Pure.
 * @throws AppError `not_transcodable` for a film of more segments than their names can count
 */
export function planStream(stored: FilmSource, input: PlanInput): StreamJob {
  const { file, profile, index, burnedStream = null } = input
  const film = index === undefined ? stored : withoutClockJumps(stored, index)
  const videoStartMicroseconds = Math.round(film.videoStartSeconds * MICROSECONDS)
  const grid = filmGrid(film, index)
  const cuts =
    index === undefined || input.allowsCopy === false || burnedStream !== null
      ? null
      : copyCuts(index, { ...film, videoStartMicroseconds, grid })
  if (segmentCount(grid) > MAX_SEGMENTS) throw streamingErrors.not_transcodable({ message: 'the film is too long' })
  const rates =
    index === undefined || cuts === null ? null : copiedRates(index, { copy: cuts, zero: videoStartMicroseconds })
  const pictures = chooseLadder({ ...film, isCuttable: cuts !== null, copiedRates: rates }, profile)
  const audioTracks = audioTracksOf(film, input.streams)
  return {
    source: {
      ...file,
      videoStreamIndex: film.videoStreamIndex,
      audioTracks,
      videoStartMicroseconds,
      containerStartMicroseconds: Math.round(film.containerStartSeconds * MICROSECONDS),
      seekMarginSeconds: seekMarginSeconds(film, burnedStream),
      jumps: (index?.jumps ?? []).map(({ atMicroseconds, byMicroseconds }) => ({
        atMicroseconds: atMicroseconds - videoStartMicroseconds,
        byMicroseconds,
      })),
      isInterlaced: film.isInterlaced,
      ...(burnedStream === null ? {} : { burnedStreamIndex: burnedStream }),
      hdrTransfer: input.mapsTones ? hdrTransferOf(film) : null,
    },
    grid,
    copy: pictures.some(({ isCopy }) => isCopy) ? cuts : null,
    loudness: null,
    startMicroseconds: 0,
    parts: [],
    renditions: [...pictures, ...audioTracks.filter(({ isDefault }) => !isDefault).map(audioRendition)],
    subtitles: numberSubtitles(input.subtitles),
  }
}

function seekMarginSeconds({ container }: FilmSource, burnedStream: number | null): number {
  const margin = INDEXED.has(container) ? INDEXED_MARGIN_SECONDS : SEARCHED_MARGIN_SECONDS
  return burnedStream === null ? margin : Math.max(margin, BURNED_MARGIN_SECONDS)
}

/** The curve that a film's tones are mapped from; null for standard dynamic range, and for curves that are not known. */
export function hdrTransferOf({
  colorTransfer,
}: Pick<FilmSource, 'colorTransfer'>): StreamJob['source']['hdrTransfer'] {
  return HDR_TRANSFERS.find((transfer) => transfer === colorTransfer) ?? null
}
