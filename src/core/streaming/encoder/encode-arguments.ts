import { audioWindow, countPackets, VIDEO_DELAY_FRAMES } from '../timeline/audio-timeline.ts'
import { toFileMicroseconds } from '../timeline/clock-jumps.ts'
import { isRestartingClock } from '../timeline/clock-restarts.ts'
import { createJumpingClock, type JumpingClock } from '../timeline/jump-filters.ts'
import { frameTime, formatMicrosecondsAsSeconds, segmentFrameRange } from '../timeline/segment-timeline.ts'
import type { Rendition } from '../job/rendition.ts'
import { defaultAudioTrack, type SourceAudioTrack, type StreamPlan } from '../job/stream-plan.ts'
import type { SegmentRange, EncodeRun, EncodeArguments } from './encode-run.ts'
import { audioArguments, dropPacketArguments, loudnessGain } from './audio-arguments.ts'
import { copyArguments } from './copy-arguments.ts'
import { videoArguments } from './video-arguments.ts'

/** ffmpeg's muxer adds 1.4 s, which makes 10 s in total. */
const OUTPUT_OFFSET_MICROSECONDS = 8_600_000

/**
 * Returns the arguments that make the segments of a range in order, as pieces with the segments' numbers, for ffmpeg's segment muxer.
 * Pieces with other numbers are not segments. A rendition with copied video is made one segment at a time.
 */
export function segmentArguments(run: EncodeRun): EncodeArguments {
  const { rendition, range } = run
  if (rendition.kind === 'video' && rendition.isCopy) return copyArguments(run, rendition)
  const { before, after } = encodeArguments(run)
  const cuts = rendition.kind === 'video' ? frameCuts(run) : packetCuts(run)
  return {
    before,
    // Cuts are frame numbers, counted from the start of the run: a cut by time would suffer from rounding at rates such as 24000/1001.
    after: [...after, '-segment_frames', cuts.join(','), '-segment_start_number', `${range.first}`],
  }
}

/**
 * Returns the arguments that make the segments of a range as one continuous stream; the caller appends the muxer. The video of the
 * rendition is encoded, or the rendition has audio only. Audio with encoded video is always encoded: all rungs then carry the same
 * packets.
 */
export function encodeArguments(run: EncodeRun): EncodeArguments {
  const { job, rendition, range } = run
  const { source } = job
  const track = renditionAudioTrack(job, rendition)
  const isVideo = rendition.kind === 'video'
  const entry = entryOf(run)
  const clock = createJumpingClock(source, entry)
  return {
    before: [
      ...(entry === undefined ? seekArgs(run) : ['-skip_initial_bytes', `${entry.position}`]),
      '-itsoffset',
      formatMicrosecondsAsSeconds(-source.videoStartMicroseconds),
    ],
    after: [
      ['-copyts'],
      isVideo ? videoArguments(job, rendition, { range, clock }) : ['-vn'],
      track === undefined ? ['-an'] : ['-map', `0:${track.streamIndex}`],
      ['-sn', '-dn', '-map_metadata', '-1', '-map_chapters', '-1'],
      track === undefined ? [] : audioOutputArgs(job, track, { range, clock }),
      ['-max_muxing_queue_size', '1024', '-max_interleave_delta', '0', '-output_ts_offset', outputOffset(job)],
    ].flat(),
  }
}

/** Returns the offset that ffmpeg adds to every output timestamp, in seconds. */
function outputOffset({ startMicroseconds }: StreamPlan): string {
  return formatMicrosecondsAsSeconds(OUTPUT_OFFSET_MICROSECONDS + startMicroseconds)
}

/** Returns the audio track of a rendition, or undefined if it has none. */
export function renditionAudioTrack(job: StreamPlan, rendition: Rendition): SourceAudioTrack | undefined {
  if (rendition.kind === 'video') return rendition.audio === 'none' ? undefined : defaultAudioTrack(job)
  return job.source.audioTracks.find(({ streamIndex }) => streamIndex === rendition.streamIndex)
}

type Reading = { range: SegmentRange; clock: JumpingClock }

function audioOutputArgs(job: StreamPlan, track: SourceAudioTrack, { range, clock }: Reading): string[] {
  const window = audioWindow(job.grid, { ...range, isContinued: job.startMicroseconds > 0 })
  const gainDecibels = track.isDefault ? loudnessGain(job.loudness) : null
  return [...audioArguments({ track, window, gainDecibels, clock }), ...dropPacketArguments(window)]
}

/**
 * Returns the seek arguments. Seeking goes to a key frame before the margin and the filters cut to the frame, because ffmpeg's accurate
 * seek is off by up to a frame.
 */
function seekArgs(run: EncodeRun): string[] {
  const { job, range } = run
  const { source } = job
  if (isRestartingClock(source.jumps)) return []
  const { videoStartMicroseconds, containerStartMicroseconds } = source
  const from = toFileMicroseconds(latestReading(run), source.jumps)
  const target = from + videoStartMicroseconds - containerStartMicroseconds
  return range.first === 0 || target <= 0
    ? []
    : ['-noaccurate_seek', '-ss', formatMicrosecondsAsSeconds(Math.floor(target))]
}

/** Returns the latest time at which reading may begin, in microseconds from the job's zero. */
function latestReading({ job: { grid }, range, seekMarginSeconds }: EncodeRun): number {
  // The audio of a segment begins before its video.
  const frame = segmentFrameRange(grid, range.first).first - VIDEO_DELAY_FRAMES
  return (
    frameTime(grid.frameRate, { frame, unitsPerSecond: 1_000_000, rounding: 'floor' }) - seekMarginSeconds * 1_000_000
  )
}

/** Returns the entry at which reading begins if timestamps do not identify positions; undefined for the start of the file. */
function entryOf(run: EncodeRun): StreamPlan['source']['entries'][number] | undefined {
  if (run.range.first === 0) return undefined
  const latest = latestReading(run)
  return run.job.source.entries.findLast(({ microseconds }, index) => index > 0 && microseconds <= latest)
}

/**
 * Returns the frame counts after which the segments of the run end, the last one excluded. A run of one segment gets a cut that is never
 * reached, because the muxer needs at least one.
 */
function frameCuts({ job: { grid }, range }: EncodeRun): number[] {
  const count = Math.max(1, range.last - range.first)
  return Array.from({ length: count }, (_, index) => (index + 1) * grid.framesPerSegment)
}

/** Returns the same cuts counted in audio packets, which are all key frames. */
function packetCuts({ job: { grid, startMicroseconds }, range }: EncodeRun): number[] {
  const cuts: number[] = []
  let total = 0
  for (let index = range.first; index < Math.max(range.last, range.first + 1); index += 1) {
    total += countPackets(audioWindow(grid, { first: index, last: index, isContinued: startMicroseconds > 0 }))
    cuts.push(total)
  }
  return cuts
}
