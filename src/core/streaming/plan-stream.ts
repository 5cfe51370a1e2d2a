import type { MediaStream } from '../catalogue/index.ts'
import type { StreamIndex } from '../probing/index.ts'
import type { SubtitleTrack } from '../subtitles/index.ts'
import { chooseLadder } from './choose-ladder.ts'
import { copyCuts } from './copy-cuts.ts'
import type { DeviceProfile } from './device-profiles.ts'
import { framesPerSecond, makeFrameGrid, outputFrameRate, segmentCount } from './frame-grid.ts'
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

/** A tail of sound after the picture, up to this, is no reason for another frame: codecs fill up their last packet. */
const SOUND_TAIL_SECONDS = 0.1

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
  /** Undefined where nothing is known about the key frames. */
  index: StreamIndex | undefined
}>

/**
 * The plan of a job: grid, renditions, and how to read the source. Pure.
 * @throws AppError `not_transcodable` for a film of more segments than their names can count
 */
export function planStream(film: FilmSource, input: PlanInput): StreamJob {
  const { file, profile, index } = input
  const frameRate = outputFrameRate(film.frameRate)
  const videoStartMicroseconds = Math.round(film.videoStartSeconds * MICROSECONDS)
  const cuts =
    index === undefined || input.allowsCopy === false
      ? null
      : copyCuts(index, { ...film, videoStartMicroseconds, frameRate })
  const grid = makeFrameGrid({ frameRate, ...lengthOf(film, index) })
  if (segmentCount(grid) > MAX_SEGMENTS) throw streamingErrors.not_transcodable({ message: 'the film is too long' })
  const pictures = chooseLadder({ ...film, isCuttable: cuts !== null }, profile)
  const audioTracks = audioTracksOf(film, input.streams)
  return {
    source: {
      ...file,
      videoStreamIndex: film.videoStreamIndex,
      audioTracks,
      videoStartMicroseconds,
      containerStartMicroseconds: Math.round(film.containerStartSeconds * MICROSECONDS),
      seekMarginSeconds: INDEXED.has(film.container) ? INDEXED_MARGIN_SECONDS : SEARCHED_MARGIN_SECONDS,
      isInterlaced: film.isInterlaced,
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

/** The curve that a film's tones are mapped from; null for standard dynamic range, and for curves that are not known. */
export function hdrTransferOf({
  colorTransfer,
}: Pick<FilmSource, 'colorTransfer'>): StreamJob['source']['hdrTransfer'] {
  return HDR_TRANSFERS.find((transfer) => transfer === colorTransfer) ?? null
}

/** The picture decides; sound that goes on after it keeps its last frame on the screen. */
function lengthOf(
  film: FilmSource,
  index: StreamIndex | undefined,
): { durationSeconds: number; frameCount: number | null } {
  const whole = film.durationSeconds - (film.videoStartSeconds - film.containerStartSeconds)
  const shown = index === undefined ? 0 : (index.endMicroseconds - index.firstMicroseconds) / MICROSECONDS
  if (index === undefined || shown <= 0 || whole - shown > SOUND_TAIL_SECONDS) {
    return { durationSeconds: Math.max(0, whole), frameCount: null }
  }
  const isCounted = index.hasConstantRate && !film.isInterlaced && isSameRate(index, { film, shown })
  return { durationSeconds: shown, frameCount: isCounted ? index.frameCount : null }
}

/** Whether the frames of the source are those of the output, one by one. */
function isSameRate({ frameCount }: StreamIndex, { film, shown }: { film: FilmSource; shown: number }): boolean {
  const expected = shown * framesPerSecond(outputFrameRate(film.frameRate))
  return frameCount !== null && Math.abs(frameCount - expected) <= 1
}
