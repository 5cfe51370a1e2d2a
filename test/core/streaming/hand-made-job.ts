import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { dirname, extname } from 'node:path'
import { promisify } from 'node:util'
import {
  framesPerSecond,
  makeFrameGrid,
  outputFrameRate,
} from '../../../src/core/streaming/timeline/segment-timeline.ts'
import type { AudioRendition, VideoRendition } from '../../../src/core/streaming/job/rendition.ts'
import type { SourceAudioTrack, StreamPlan } from '../../../src/core/streaming/job/stream-plan.ts'

const MICROSECONDS_PER_SECOND = 1_000_000
/** Containers without an index of key frames. */
const SEARCHED = new Set(['.ts', '.mpg'])
const PACKET_SAMPLES: Record<string, number> = { aac: 1024, opus: 240, mp3: 576 }

type Probed = {
  format: { start_time: string; duration: string }
  streams: { index: number; codec_type: string; codec_name: string; avg_frame_rate: string; sample_rate?: string }[]
  packets: { stream_index: number; pts_time: string; duration_time?: string; flags: string }[]
}

/** The facts of a file from ffprobe, independent of our own reader. */
async function probe(path: string): Promise<Probed> {
  const words = ['-v', 'error', '-show_format', '-show_streams', '-show_packets', '-of', 'json', path]
  const { stdout } = await promisify(execFile)('ffprobe', words, { maxBuffer: 1 << 28 })
  return JSON.parse(stdout) as Probed
}

export type JobChoice = {
  /** Duration of an encoded segment in seconds, rounded to frames; six in production. */
  segmentSeconds?: number
  /** Minimum duration of a copied segment in seconds. */
  copySeconds?: number
  audio?: VideoRendition['audio']
  source?: Partial<StreamPlan['source']>
  loudness?: StreamPlan['loudness']
  startMicroseconds?: number
}

/**
 * Builds the plan of a job from ffprobe's output alone, independent of the planning code. It has two rungs, the copied original, and an
 * audio rendition for each additional track.
 */
export async function handMadeJob(path: string, choice: JobChoice = {}): Promise<StreamPlan> {
  const { format, streams, packets } = await probe(path)
  const video = streams.find(({ codec_type }) => codec_type === 'video')
  const sounds = streams.filter(({ codec_type }) => codec_type === 'audio')
  if (video === undefined) throw new Error('the file has no picture')
  const frames = packets.filter(({ stream_index }) => stream_index === video.index)
  const times = frames.map(({ pts_time }) => Number(pts_time)).toSorted((a, b) => a - b)
  const start = times[0] ?? 0
  const rate = outputFrameRate(video.avg_frame_rate)
  const { size, mtimeNs } = await stat(path.replace(/^file:/, ''), { bigint: true })
  const grid = makeFrameGrid({
    frameRate: rate,
    durationSeconds: Number(format.start_time) + Number(format.duration) - start,
  })
  const audio = choice.audio ?? (sounds.length > 0 ? 'encode' : 'none')
  return {
    source: {
      path,
      root: dirname(path),
      sizeBytes: Number(size),
      modifiedAtNanoseconds: mtimeNs.toString(),
      videoStartMicroseconds: Math.round(start * MICROSECONDS_PER_SECOND),
      containerStartMicroseconds: Math.round(Number(format.start_time) * MICROSECONDS_PER_SECOND),
      seekMarginSeconds: SEARCHED.has(extname(path)) ? 12 : 0.5,
      videoStreamIndex: video.index,
      jumps: [],
      entries: [],
      isInterlaced: false,
      hdrTransfer: null,
      audioTracks: sounds.map((sound, index) => trackOf({ sound, packets, start, isDefault: index === 0, path })),
      ...choice.source,
    },
    grid: {
      ...grid,
      ...(choice.segmentSeconds !== undefined && {
        framesPerSegment: Math.round(choice.segmentSeconds * framesPerSecond(rate)),
      }),
    },
    copy: copyOf(frames, { start, copySeconds: choice.copySeconds ?? 6, rate }),
    loudness: choice.loudness ?? null,
    startMicroseconds: choice.startMicroseconds ?? 0,
    parts: [],
    subtitles: [],
    renditions: [
      { ...RUNG, id: 'original', width: 320, height: 180, isOriginal: true, isCopy: true, audio },
      { ...RUNG, id: '180p', width: 320, height: 180, videoBitrate: 300_000, audio },
      { ...RUNG, id: '90p', width: 160, height: 90, videoBitrate: 100_000, audio },
      ...sounds.slice(1).map(({ index }) => soundRendition(index)),
    ],
  }
}

const RUNG: VideoRendition = {
  kind: 'video',
  id: '180p',
  label: 'a rung',
  width: 320,
  height: 180,
  bitrate: 1_000_000,
  averageBitrate: null,
  videoBitrate: 300_000,
  codecs: 'avc1.64000D,mp4a.40.2',
  isOriginal: false,
  isCopy: false,
  audio: 'encode',
}

function soundRendition(streamIndex: number): AudioRendition {
  return {
    kind: 'audio',
    id: `a${streamIndex}`,
    label: 'a track',
    language: 'und',
    streamIndex,
    bitrate: 200_000,
    averageBitrate: null,
    codecs: 'mp4a.40.2',
  }
}

type TrackFacts = {
  sound: Probed['streams'][number]
  packets: Probed['packets']
  start: number
  isDefault: boolean
  path: string
}

function trackOf({ sound, packets, start, isDefault, path }: TrackFacts): SourceAudioTrack {
  const granuleSamples = PACKET_SAMPLES[sound.codec_name]
  const isRounded = extname(path) === '.mkv' && granuleSamples !== undefined
  const first = Number(packets.find(({ stream_index }) => stream_index === sound.index)?.pts_time ?? 0)
  const phaseSamples = Math.round((first - start) * Number(sound.sample_rate))
  return {
    streamIndex: sound.index,
    snap: isRounded ? { granuleSamples, phaseSamples } : null,
    codec: sound.codec_name,
    language: 'und',
    label: 'a track',
    title: null,
    channels: 2,
    isDefault,
  }
}

/** The first key frame at or after every multiple of the length begins a segment. */
function copyOf(
  frames: Probed['packets'],
  {
    start,
    copySeconds,
    rate,
  }: { start: number; copySeconds: number; rate: { numerator: number; denominator: number } },
): StreamPlan['copy'] {
  const at = ({ pts_time }: { pts_time: string }): number =>
    Math.round((Number(pts_time) - start) * MICROSECONDS_PER_SECOND)
  const keys = frames.filter(({ flags }) => flags.startsWith('K')).map((frame) => at(frame))
  const boundaries = [0]
  for (const key of keys) {
    const wanted = boundaries.length * copySeconds * MICROSECONDS_PER_SECOND
    if (key >= wanted && key > (boundaries.at(-1) ?? 0)) boundaries.push(key)
  }
  const frameMicroseconds = Math.round((MICROSECONDS_PER_SECOND * rate.denominator) / rate.numerator)
  return {
    boundariesMicroseconds: boundaries,
    endMicroseconds: Math.max(...frames.map((frame) => at(frame))) + frameMicroseconds,
    halfFrameMicroseconds: Math.floor(frameMicroseconds / 2),
  }
}
