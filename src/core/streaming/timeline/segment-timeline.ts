/** Frames per second as an exact fraction: 23.976 is 24000/1001, never a decimal. */
export type FrameRate = Readonly<{ numerator: number; denominator: number }>

/**
 * The time base of a job. Frame n of the output is shown n / frameRate seconds after the first video frame, and segment k begins with
 * frame k * framesPerSegment. Playlists, encoders and checks all count in these frames, so rounding cannot make them differ.
 */
export type SegmentTimeline = Readonly<{
  frameRate: FrameRate
  framesPerSegment: number
  /** Frames of the whole output. */
  frameCount: number
}>

/** Nominal duration of a segment. */
const SEGMENT_SECONDS = 6

const MIN_INTEGER_RATE = 1
const MAX_INTEGER_RATE = 60
/** Two rates are considered equal if they differ by less than this fraction; 24 and 24000/1001 differ by a thousandth. */
const SAME_RATE_TOLERANCE = 0.0004

/** The rate assumed for sources of unknown rate. */
const USUAL_RATE: FrameRate = { numerator: 25, denominator: 1 }

/**
 * Rates of displays and films. A rate that is not close to an integer rate, in particular a variable rate, is mapped to the nearest of
 * these.
 */
const COMMON_RATES: readonly FrameRate[] = [
  { numerator: 10, denominator: 1 },
  { numerator: 15, denominator: 1 },
  { numerator: 24_000, denominator: 1001 },
  { numerator: 24, denominator: 1 },
  { numerator: 25, denominator: 1 },
  { numerator: 30_000, denominator: 1001 },
  { numerator: 30, denominator: 1 },
  { numerator: 48, denominator: 1 },
  { numerator: 50, denominator: 1 },
  { numerator: 60_000, denominator: 1001 },
  { numerator: 60, denominator: 1 },
]

/**
 * Returns the output frame rate of a source: n or n * 1000/1001 if its average is close to that, otherwise the nearest common rate, at
 * most 60.
 * @param average ffprobe's `avg_frame_rate`, for example `24000/1001`; `0/0` or null if unknown
 */
export function outputFrameRate(average: string | null): FrameRate {
  const averageRate = parseFraction(average)
  if (averageRate === undefined) return USUAL_RATE
  const whole = Math.round(averageRate)
  if (whole >= MIN_INTEGER_RATE && whole <= MAX_INTEGER_RATE) {
    const near = [
      { numerator: whole, denominator: 1 },
      { numerator: whole * 1000, denominator: 1001 },
    ].find((rate) => Math.abs(framesPerSecond(rate) / averageRate - 1) < SAME_RATE_TOLERANCE)
    if (near !== undefined) return near
  }
  return COMMON_RATES.reduce((best, rate) =>
    Math.abs(framesPerSecond(rate) - averageRate) < Math.abs(framesPerSecond(best) - averageRate) ? rate : best,
  )
}

function parseFraction(text: string | null): number | undefined {
  const match = /^(\d{1,9})\/(\d{1,9})$/.exec(text ?? '')
  if (match === null) return undefined
  const value = Number(match[1]) / Number(match[2])
  return Number.isFinite(value) && value > 0 ? value : undefined
}

/** Returns frames per second as a decimal, for display and comparison only. */
export function framesPerSecond(rate: FrameRate): number {
  return rate.numerator / rate.denominator
}

/**
 * Returns the grid of a source. Six seconds are rounded to whole frames once per segment (24000/1001: 144 frames, 6.006 s). The number of
 * segments follows from the number of frames, never from the duration divided by six.
 * @param source.frameCount exact number of frames at this rate; derived from the duration if absent
 */
export function makeFrameGrid(source: {
  frameRate: FrameRate
  durationSeconds: number
  frameCount?: number | null
}): SegmentTimeline {
  const rate = framesPerSecond(source.frameRate)
  const frameCount = source.frameCount ?? Math.round(source.durationSeconds * rate)
  return {
    frameRate: source.frameRate,
    framesPerSegment: Math.max(1, Math.round(SEGMENT_SECONDS * rate)),
    frameCount: Math.max(1, frameCount),
  }
}

/** Returns the number of segments, at least one. */
export function segmentCount(grid: SegmentTimeline): number {
  return Math.ceil(grid.frameCount / grid.framesPerSegment)
}

/** Returns the frames of one segment, from `first` up to but excluding `end`. Only the last segment may be shorter. */
export function segmentFrameRange(grid: SegmentTimeline, index: number): { first: number; end: number } {
  const first = index * grid.framesPerSegment
  return { first, end: Math.min(first + grid.framesPerSegment, grid.frameCount) }
}

export type RoundingMode = 'floor' | 'ceil' | 'nearest'

/**
 * Returns the time of a frame in whole units of a clock (48,000 for samples, 90,000 for the transport stream, 1,000,000 for
 * microseconds), rounded from the exact fraction. Frames before zero are allowed.
 */
export function frameTime(
  rate: FrameRate,
  at: { frame: number; unitsPerSecond: number; rounding: RoundingMode },
): number {
  const dividend = BigInt(at.frame) * BigInt(rate.denominator) * BigInt(at.unitsPerSecond)
  const divisor = BigInt(rate.numerator)
  switch (at.rounding) {
    case 'floor':
      return Number(floorDivide(dividend, divisor))
    case 'ceil':
      return Number(-floorDivide(-dividend, divisor))
    case 'nearest':
      return Number(floorDivide(2n * dividend + divisor, 2n * divisor))
  }
}

function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor
  return dividend % divisor < 0n ? quotient - 1n : quotient
}

/** Formats whole microseconds as seconds with six decimals, as EXTINF and ffmpeg's time arguments require. */
export function formatMicrosecondsAsSeconds(microseconds: number): string {
  const sign = microseconds < 0 ? '-' : ''
  const digits = Math.abs(microseconds).toString().padStart(7, '0')
  return `${sign}${digits.slice(0, -6)}.${digits.slice(-6)}`
}
