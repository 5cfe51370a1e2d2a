import { audioWindow, packetsIn, VIDEO_DELAY_FRAMES } from './audio-timeline.ts'
import { audioArgs, dropWords, loudnessGain } from './audio-args.ts'
import { copyArguments } from './copy-arguments.ts'
import { withJumps } from './clock-jumps.ts'
import { frameTime, secondsText, segmentFrames } from './segment-timeline.ts'
import type { Rendition } from './rendition.ts'
import { defaultAudioTrack, type SourceAudioTrack, type StreamJob } from './stream-job.ts'
import { videoArgs } from './video-args.ts'

export type SegmentRange = Readonly<{ first: number; last: number }>

/** Words for ffmpeg: `before` goes in front of the input's words, `after` between them and the output. */
export type EncodeArgs = { before: string[]; after: string[] }

/** What a run of ffmpeg makes, and how long before its first segment reading begins at the latest. */
export type EncodeRun = Readonly<{
  job: StreamJob
  rendition: Rendition
  range: SegmentRange
  seekMarginSeconds: number
}>

/** 8.6 s here and 1.4 s that ffmpeg's multiplexer adds. */
const OUTPUT_OFFSET_MICROSECONDS = 8_600_000

/**
 * The words that make the segments of a range one after the other as pieces of these numbers, for ffmpeg's segment
 * muxer. Pieces of other numbers are not segments. A rendition that copies the picture is made one segment at a time.
 */
export function segmentArguments(run: EncodeRun): EncodeArgs {
  const { rendition, range } = run
  if (rendition.kind === 'video' && rendition.isCopy) return copyArguments(run, rendition)
  const { before, after } = encodeArguments(run)
  const cuts = rendition.kind === 'video' ? frameCuts(run) : packetCuts(run)
  return {
    before,
    // Whole numbers: a cut by time would be lost to rounding at rates like 24000/1001. They count from the run's start.
    after: [...after, '-segment_frames', cuts.join(','), '-segment_start_number', `${range.first}`],
  }
}

/**
 * The words that make the segments of a range as one uninterrupted stream, for a multiplexer to be named behind them.
 * The rendition's picture is encoded, or it is one of sound alone. Sound beside an encoded picture is always encoded
 * too: all rungs then carry the same packets.
 */
export function encodeArguments(run: EncodeRun): EncodeArgs {
  const { job, rendition, range } = run
  const { source } = job
  const track = playedTrack(job, rendition)
  const isVideo = rendition.kind === 'video'
  return {
    before: [...seekWords(run), '-itsoffset', secondsText(-source.videoStartMicroseconds)],
    after: [
      ['-copyts'],
      isVideo ? videoArgs(job, rendition, range) : ['-vn'],
      track === undefined ? ['-an'] : ['-map', `0:${track.streamIndex}`],
      ['-sn', '-dn', '-map_metadata', '-1', '-map_chapters', '-1'],
      track === undefined ? [] : soundWords(job, track, range),
      ['-max_muxing_queue_size', '1024', '-max_interleave_delta', '0', '-output_ts_offset', outputOffset(job)],
    ].flat(),
  }
}

/** How much ffmpeg adds to every time that it writes, in seconds. */
function outputOffset({ startMicroseconds }: StreamJob): string {
  return secondsText(OUTPUT_OFFSET_MICROSECONDS + startMicroseconds)
}

/** The sound track that a rendition carries; undefined where it has none. */
export function playedTrack(job: StreamJob, rendition: Rendition): SourceAudioTrack | undefined {
  if (rendition.kind === 'video') return rendition.audio === 'none' ? undefined : defaultAudioTrack(job)
  return job.source.audioTracks.find(({ streamIndex }) => streamIndex === rendition.streamIndex)
}

function soundWords(job: StreamJob, track: SourceAudioTrack, range: SegmentRange): string[] {
  const window = audioWindow(job.grid, { ...range, isContinued: job.startMicroseconds > 0 })
  const gainDecibels = track.isDefault ? loudnessGain(job.loudness) : null
  return [...audioArgs({ track, window, gainDecibels, jumps: job.source.jumps }), ...dropWords(window)]
}

/**
 * Seeking goes to a key frame before the margin, and the filters cut to the frame: ffmpeg's own cut is off by up to a
 * frame.
 */
function seekWords({ job: { grid, source }, range, seekMarginSeconds }: EncodeRun): string[] {
  const { videoStartMicroseconds, containerStartMicroseconds } = source
  // The sound of a segment begins before its picture.
  const frame = segmentFrames(grid, range.first).first - VIDEO_DELAY_FRAMES
  const start = frameTime(grid.frameRate, { frame, unitsPerSecond: 1_000_000, rounding: 'floor' })
  const from = withJumps(start - seekMarginSeconds * 1_000_000, source.jumps)
  const target = from + videoStartMicroseconds - containerStartMicroseconds
  return range.first === 0 || target <= 0 ? [] : ['-noaccurate_seek', '-ss', secondsText(Math.floor(target))]
}

/** After how many frames of the run each segment but the last ends; one cut that never comes where there is one. */
function frameCuts({ job: { grid }, range }: EncodeRun): number[] {
  const count = Math.max(1, range.last - range.first)
  return Array.from({ length: count }, (_, index) => (index + 1) * grid.framesPerSegment)
}

/** The same in packets of sound, which are all key frames. */
function packetCuts({ job: { grid, startMicroseconds }, range }: EncodeRun): number[] {
  const cuts: number[] = []
  let total = 0
  for (let index = range.first; index < Math.max(range.last, range.first + 1); index += 1) {
    total += packetsIn(audioWindow(grid, { first: index, last: index, isContinued: startMicroseconds > 0 }))
    cuts.push(total)
  }
  return cuts
}
