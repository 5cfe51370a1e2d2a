import { z } from 'zod'
import type { MediaStream } from '../catalogue/index.ts'
import type { StreamIndex } from '../probing/index.ts'
import type { SubtitleTrack } from '../subtitles/index.ts'
import { listAudioTracks } from '../tracks/index.ts'
import { AUDIO_BITRATE, peakBandwidth } from './bit-rates.ts'
import { chooseLadder } from './choose-ladder.ts'
import { AAC_LC } from './codec-strings.ts'
import { copyCuts } from './copy-cuts.ts'
import type { DeviceProfile } from './device-profiles.ts'
import { framesPerSecond, makeFrameGrid, outputFrameRate, segmentCount } from './frame-grid.ts'
import type { AudioRendition } from './rendition.ts'
import { MAX_SEGMENTS } from './segment-name.ts'
import { streamingErrors } from './errors.ts'
import type { SourceFile } from './source-file.ts'
import type { FilmSource } from './source-profile.ts'
import { HDR_TRANSFERS, type SourceAudioTrack, type StreamJob } from './stream-job.ts'
import { numberSubtitles } from './stream-subtitles.ts'

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

/** A tail of sound after the picture, up to this, is no reason for another frame: codecs fill up their last packet. */
const SOUND_TAIL_SECONDS = 0.1

/** What a plan follows from besides the film itself. */
export type PlanInput = Readonly<{
  file: SourceFile
  profile: DeviceProfile
  /** Of the item; where its sound tracks are not known there is the one of the film. */
  streams: readonly MediaStream[]
  subtitles: readonly SubtitleTrack[]
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
  const cuts = index === undefined ? null : copyCuts(index, { ...film, videoStartMicroseconds, frameRate })
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
      hdrTransfer: HDR_TRANSFERS.find((transfer) => transfer === film.colorTransfer) ?? null,
    },
    grid,
    copy: pictures.some(({ isCopy }) => isCopy) ? cuts : null,
    loudness: null,
    renditions: [...pictures, ...audioTracks.filter(({ isDefault }) => !isDefault).map(audioRendition)],
    subtitles: numberSubtitles(input.subtitles),
  }
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

function audioTracksOf(film: FilmSource, streams: readonly MediaStream[]): SourceAudioTrack[] {
  if (film.audioStreamIndex === null) return []
  const tracks = listAudioTracks({ streams })
  const known = tracks.some(({ streamIndex }) => streamIndex === film.audioStreamIndex)
  if (!known)
    return [{ ...UNKNOWN_TRACK, streamIndex: film.audioStreamIndex, codec: film.audioCodec, snap: snapOf(film) }]
  return tracks.map(({ streamIndex, codec, language, label, title, channels }) => ({
    streamIndex,
    snap: snapOf({ ...film, audioCodec: codec, ...clockOf(streams, streamIndex) }),
    codec,
    language,
    label,
    title,
    channels,
    isDefault: streamIndex === film.audioStreamIndex,
  }))
}

const Clock = z.object({ sampleRate: z.number().nullable(), startSeconds: z.number().nullable() })

/** When a track begins and what its samples are counted in; earlier releases did not store the first. */
function clockOf(streams: readonly MediaStream[], streamIndex: number) {
  const { data } = Clock.safeParse(streams.find(({ index }) => index === streamIndex)?.details)
  return { audioSampleRate: data?.sampleRate ?? null, audioStartSeconds: data?.startSeconds ?? null }
}

const UNKNOWN_TRACK = { language: 'und', label: 'Track 1', title: null, channels: null, isDefault: true }

function audioRendition({ streamIndex, label, language }: SourceAudioTrack): AudioRendition {
  return {
    kind: 'audio',
    id: `a${streamIndex}`,
    label,
    language,
    streamIndex,
    bitrate: peakBandwidth({ video: 0, audio: AUDIO_BITRATE }),
    codecs: AAC_LC,
  }
}

type Sound = Pick<
  FilmSource,
  'container' | 'audioCodec' | 'audioSampleRate' | 'audioStartSeconds' | 'videoStartSeconds'
>

/**
 * How rounded packet times of Matroska are put right; null where they are not rounded, or the packet size is not known.
 */
function snapOf(sound: Sound): SourceAudioTrack['snap'] {
  const { audioCodec, audioSampleRate, audioStartSeconds } = sound
  const granuleSamples = GRANULES.get(audioCodec ?? '')
  if (!MATROSKA.has(sound.container) || granuleSamples === undefined) return null
  if (audioSampleRate === null || audioStartSeconds === null) return null
  if (granuleSamples / audioSampleRate < SMALLEST_GRANULE_SECONDS) return null
  const phaseSamples = Math.round((audioStartSeconds - sound.videoStartSeconds) * audioSampleRate)
  return { granuleSamples, phaseSamples }
}
