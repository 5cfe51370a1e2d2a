import { AUDIO_SAMPLE_RATE, SAMPLES_PER_PACKET } from '../timeline/audio-timeline.ts'
import { audioArguments, loudnessGain } from './audio-arguments.ts'
import type { EncodeRun, EncodeArguments } from './encode-run.ts'
import { formatMicrosecondsAsSeconds } from '../timeline/segment-timeline.ts'
import { createJumpingClock } from '../timeline/jump-filters.ts'
import type { VideoRendition } from '../job/rendition.ts'
import { defaultAudioTrack, type StreamPlan } from '../job/stream-plan.ts'

const MICROSECONDS_PER_SECOND = 1_000_000

/** ffmpeg's muxer adds 1.4 s, so that timestamps start at 10 s, as in all renditions. */
const OUTPUT_OFFSET_MICROSECONDS = 8_600_000

/** Reading begins at least this much before the segment. Encoded audio is stable by then. */
const LEAD_MICROSECONDS = 2_000_000
/** Copying continues this much after the segment, for the key frame that ends it. The value is larger than the reordering of frames. */
const RUN_OUT_MICROSECONDS = 2_000_000
/** Encoded audio begins and ends this much outside the segment. */
const SOUND_MARGIN_MICROSECONDS = 1_000_000

/**
 * Returns the ffmpeg arguments that copy the video of the single segment `range.first` from the source. Reading begins at an earlier key
 * frame. Packets before and after the segment go to files that are discarded. The muxer orders packets by decoding time, so that each
 * packet belongs to exactly one segment, in every run.
 */
export function copyArguments(
  { job, range, seekMarginSeconds }: EncodeRun,
  rendition: VideoRendition,
): EncodeArguments {
  const { source } = job
  const { start, end, halfFrame } = spanOf(job, range.first)
  const track = rendition.audio === 'none' ? undefined : defaultAudioTrack(job)
  const offset = OUTPUT_OFFSET_MICROSECONDS + job.startMicroseconds
  const cuts = [...(range.first === 0 ? [] : [start]), ...(end === null ? [] : [end])]
  return {
    before: [
      ...seekArgs(job, range.first, seekMarginSeconds),
      '-itsoffset',
      formatMicrosecondsAsSeconds(-source.videoStartMicroseconds),
    ],
    after: [
      ['-copyts'],
      ['-map', `0:${source.videoStreamIndex}`, ...(track === undefined ? ['-an'] : ['-map', `0:${track.streamIndex}`])],
      ['-sn', '-dn', '-map_metadata', '-1', '-map_chapters', '-1', '-c:v', 'copy'],
      track === undefined ? [] : audioOutputArgs(job, rendition, range.first),
      ['-max_muxing_queue_size', '1024', '-max_interleave_delta', '0', '-avoid_negative_ts', 'disabled'],
      ['-output_ts_offset', formatMicrosecondsAsSeconds(offset)],
      // Without a limit the copy, a thousand times faster than playback, would run far past the end before the finished segment was detected.
      end === null ? [] : ['-to', formatMicrosecondsAsSeconds(end + RUN_OUT_MICROSECONDS)],
      [
        '-segment_times',
        cutTimes(
          cuts.map((cut) => cut + offset),
          halfFrame,
        ),
      ],
      ['-segment_start_number', `${Math.max(0, range.first - 1)}`],
    ].flat(),
  }
}

/** Returns the cuts in the muxer's time, half a frame early, so that rounding never moves a cut past its key frame. */
function cutTimes(cuts: readonly number[], halfFrame: number): string {
  // A film of one segment has no cuts.
  if (cuts.length === 0) return '1000000000'
  return cuts.map((cut) => formatMicrosecondsAsSeconds(cut - halfFrame)).join(',')
}

/** Returns the span of a segment in microseconds; the end is null for the last segment. */
function spanOf({ copy }: StreamPlan, index: number): { start: number; end: number | null; halfFrame: number } {
  const start = copy?.boundariesMicroseconds[index]
  if (copy === null || start === undefined) throw new RangeError(`segment ${index} has no place in the source`)
  return { start, end: copy.boundariesMicroseconds[index + 1] ?? null, halfFrame: copy.halfFrameMicroseconds }
}

function seekArgs({ source, copy }: StreamPlan, index: number, marginSeconds: number): string[] {
  const [previous = 0, start = 0] = [copy?.boundariesMicroseconds[index - 1], copy?.boundariesMicroseconds[index]]
  // The midpoint lies after the key frame that begins the previous segment.
  const latest = Math.min((previous + start) / 2, Math.max(previous, start - LEAD_MICROSECONDS))
  const margin = marginSeconds > 1 ? marginSeconds * MICROSECONDS_PER_SECOND : 0
  const target = latest - margin + source.videoStartMicroseconds - source.containerStartMicroseconds
  return index === 0 || target <= 0 ? [] : ['-noaccurate_seek', '-ss', formatMicrosecondsAsSeconds(Math.floor(target))]
}

function audioOutputArgs(job: StreamPlan, { audio }: VideoRendition, index: number): string[] {
  const track = defaultAudioTrack(job)
  if (track === undefined || audio === 'none') return []
  const begin = job.startMicroseconds > 0 && index === 0 ? DROP_EARLY_SOUND : []
  if (audio === 'copy') return ['-c:a', 'copy', ...begin]
  const { start, end } = spanOf(job, index)
  const packet = (microseconds: number, round: (value: number) => number): number =>
    round((microseconds * AUDIO_SAMPLE_RATE) / MICROSECONDS_PER_SECOND / SAMPLES_PER_PACKET) * SAMPLES_PER_PACKET
  const encodeFrom = index === 0 ? firstSample(job) : packet(start - SOUND_MARGIN_MICROSECONDS, Math.floor)
  const last = job.copy?.endMicroseconds ?? 0
  const encodeUntil = packet(end === null ? last : end + SOUND_MARGIN_MICROSECONDS, Math.ceil)
  return [
    ...audioArguments({
      track,
      window: { encodeFrom, encodeUntil },
      gainDecibels: loudnessGain(job.loudness),
      // Video whose clock jumps is never copied.
      clock: createJumpingClock(job.source, undefined),
    }),
    ...begin,
  ]
}

/** Audio may begin a few packets before the video. */
const FIRST_SAMPLE = -4 * SAMPLES_PER_PACKET

/** Returns the first sample to encode. No audio precedes the video if the file continues an earlier file of the film. */
function firstSample({ startMicroseconds }: StreamPlan): number {
  return startMicroseconds > 0 ? 0 : FIRST_SAMPLE
}

/** Drops packets before zero. The unit of the filter's timestamps is not documented, but their sign is sufficient. */
const DROP_EARLY_SOUND = ['-bsf:a', String.raw`noise=drop=lt(pts\,0)`]
