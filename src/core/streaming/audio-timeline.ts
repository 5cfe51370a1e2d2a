import { frameTime, segmentCount, segmentFrames, type SegmentTimeline } from './segment-timeline.ts'

/** Every re-encoded sound track is 48 kHz AAC, whose packets hold 1,024 samples. */
export const SAMPLE_RATE = 48_000
export const SAMPLES_PER_PACKET = 1024

/**
 * Packets that an encoder makes before the first one that is kept, so that its output no longer depends on where it
 * began.
 */
const WARM_UP_PACKETS = 8
/** Packets made after the last one that is kept, because the encoder holds some back. */
const RUN_OUT_PACKETS = 4

/**
 * Frames between decoding and showing with x264's presets from superfast to slower. A multiplexer orders by decoding
 * time, so the sound of a segment begins this much before its picture.
 */
export const VIDEO_DELAY_FRAMES = 2

/** Samples on the job's timeline; zero is the first video frame. */
export type AudioWindow = Readonly<{
  /** Where the encoder begins: a multiple of the packet size, before the first kept packet. */
  encodeFrom: number
  /** Where the encoder ends, likewise. */
  encodeUntil: number
  /** Packets that begin before this sample belong to earlier segments. */
  keepFrom: number
  /**
   * Packets that begin at or after this sample belong to later segments; null for the last segment, which keeps all.
   */
  keepBefore: number | null
}>

/**
 * The sound of the segments `first` to `last`. Packets stand at absolute multiples of 1,024 samples whichever process
 * makes them, and each packet belongs to exactly one segment, so segments made in any order by any process join without
 * overlap or gap.
 * @param range.isContinued another file of the film ends where this one begins: no sound from before the first frame is kept
 */
export function audioWindow(
  grid: SegmentTimeline,
  range: { first: number; last: number; isContinued?: boolean },
): AudioWindow {
  const endFrame = segmentFrames(grid, range.last).end
  const isLast = range.last === segmentCount(grid) - 1
  const boundary = (frame: number): number =>
    frameTime(grid.frameRate, { frame: frame - VIDEO_DELAY_FRAMES, unitsPerSecond: SAMPLE_RATE, rounding: 'ceil' })
  const begin = boundary(segmentFrames(grid, range.first).first)
  const keepFrom = range.isContinued === true ? Math.max(0, begin) : begin
  const keepBefore = isLast ? null : boundary(endFrame)
  const end = frameTime(grid.frameRate, { frame: endFrame, unitsPerSecond: SAMPLE_RATE, rounding: 'ceil' })
  return {
    encodeFrom: (Math.floor(keepFrom / SAMPLES_PER_PACKET) - WARM_UP_PACKETS) * SAMPLES_PER_PACKET,
    // The sound never ends before the picture: the last packet is filled up with silence.
    encodeUntil: (Math.ceil(end / SAMPLES_PER_PACKET) + (isLast ? 0 : RUN_OUT_PACKETS)) * SAMPLES_PER_PACKET,
    keepFrom,
    keepBefore,
  }
}

/** How many packets the sound of a window has; of the last segment, which keeps what its encoder holds, at least. */
export function packetsIn({ keepFrom, keepBefore, encodeUntil }: AudioWindow): number {
  const end = Math.ceil((keepBefore ?? encodeUntil) / SAMPLES_PER_PACKET)
  return end - Math.ceil(keepFrom / SAMPLES_PER_PACKET)
}
