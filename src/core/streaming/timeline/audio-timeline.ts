import { frameTime, segmentCount, segmentFrameRange, type SegmentTimeline } from './segment-timeline.ts'

/** All re-encoded audio tracks are 48 kHz AAC, with 1,024 samples per packet. */
export const AUDIO_SAMPLE_RATE = 48_000
export const SAMPLES_PER_PACKET = 1024

/** Packets encoded before the first kept one. After them the encoder's output no longer depends on where it started. */
const WARM_UP_PACKETS = 8
/** Packets encoded after the last kept one, because the encoder buffers some. */
const RUN_OUT_PACKETS = 4

/**
 * Delay in frames between decoding and presentation with x264's presets from superfast to slower. The muxer orders packets by decoding
 * time, so the audio of a segment begins this much before its video.
 */
export const VIDEO_DELAY_FRAMES = 2

/** Samples on the job's timeline; zero is the first video frame. */
export type AudioWindow = Readonly<{
  /** First sample passed to the encoder: a multiple of the packet size, before the first kept packet. */
  encodeFrom: number
  /** End of the samples passed to the encoder: a multiple of the packet size. */
  encodeUntil: number
  /** Packets that begin before this sample belong to earlier segments. */
  keepFrom: number
  /**
   * Packets that begin at or after this sample belong to later segments; null for the last segment, which keeps all.
   */
  keepBefore: number | null
}>

/**
 * Returns the audio window of the segments `first` to `last`. Packets lie at absolute multiples of 1,024 samples in every process, and
 * each packet belongs to exactly one segment. Segments made in any order by any process therefore join without overlap or gap.
 * @param range.isContinued another file of the film ends where this one begins: audio from before the first frame is dropped
 */
export function audioWindow(
  grid: SegmentTimeline,
  range: { first: number; last: number; isContinued?: boolean },
): AudioWindow {
  const endFrame = segmentFrameRange(grid, range.last).end
  const isLast = range.last === segmentCount(grid) - 1
  const boundary = (frame: number): number =>
    frameTime(grid.frameRate, {
      frame: frame - VIDEO_DELAY_FRAMES,
      unitsPerSecond: AUDIO_SAMPLE_RATE,
      rounding: 'ceil',
    })
  const begin = boundary(segmentFrameRange(grid, range.first).first)
  const keepFrom = range.isContinued === true ? Math.max(0, begin) : begin
  const keepBefore = isLast ? null : boundary(endFrame)
  const end = frameTime(grid.frameRate, { frame: endFrame, unitsPerSecond: AUDIO_SAMPLE_RATE, rounding: 'ceil' })
  return {
    encodeFrom: (Math.floor(keepFrom / SAMPLES_PER_PACKET) - WARM_UP_PACKETS) * SAMPLES_PER_PACKET,
    // Audio never ends before the video: the last packet is padded with silence.
    encodeUntil: (Math.ceil(end / SAMPLES_PER_PACKET) + (isLast ? 0 : RUN_OUT_PACKETS)) * SAMPLES_PER_PACKET,
    keepFrom,
    keepBefore,
  }
}

/**
 * Returns the number of audio packets in a window. For the last segment this is a minimum, because that segment keeps everything that the
 * encoder outputs.
 */
export function countPackets({ keepFrom, keepBefore, encodeUntil }: AudioWindow): number {
  const end = Math.ceil((keepBefore ?? encodeUntil) / SAMPLES_PER_PACKET)
  return end - Math.ceil(keepFrom / SAMPLES_PER_PACKET)
}
