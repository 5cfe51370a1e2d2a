import type { StreamIndex } from '../../probing/index.ts'
import type { Bandwidth } from '../ladder/bit-rates.ts'
import type { StreamPlan } from '../job/stream-plan.ts'

const MICROSECONDS_PER_SECOND = 1_000_000

/** Half of a usual segment. */
const MIN_PEAK_WINDOW_SECONDS = 3

type Copy = NonNullable<StreamPlan['copy']>
type Piece = { microseconds: number; bytes: number }

/**
 * Returns the peak and the average bit rate of the segments of copied video. The peak is taken over any consecutive segments that
 * together last half to one and a half times the target duration (RFC 8216, 4.1): a short segment counts together with its neighbours.
 * Distant key frames make the target duration long, so three seconds are always sufficient. Pure.
 * @param zero of the job, on the clock of the index, in microseconds
 */
export function copiedBitRates(index: StreamIndex, { copy, zero }: { copy: Copy; zero: number }): Bandwidth {
  const pieces = segmentsOf(index, copy, zero)
  const target = Math.max(
    1,
    Math.round(Math.max(...pieces.map(({ microseconds }) => microseconds)) / MICROSECONDS_PER_SECOND),
  )
  let peak = 0
  for (const first of pieces.keys()) {
    const window: Piece = { microseconds: 0, bytes: 0 }
    for (let last = first; last < pieces.length; last += 1) {
      const piece = pieces[last] ?? window
      window.microseconds += piece.microseconds
      window.bytes += piece.bytes
      if (window.microseconds > 1.5 * target * MICROSECONDS_PER_SECOND) break
      if (window.microseconds >= Math.min(0.5 * target, MIN_PEAK_WINDOW_SECONDS) * MICROSECONDS_PER_SECOND)
        peak = Math.max(peak, rateOf(window))
    }
  }
  const average = rateOf({
    microseconds: copy.endMicroseconds,
    bytes: pieces.reduce((sum, { bytes }) => sum + bytes, 0),
  })
  return { peak: Math.max(peak, average), average }
}

function segmentsOf(index: StreamIndex, { boundariesMicroseconds, endMicroseconds }: Copy, zero: number): Piece[] {
  const pieces = boundariesMicroseconds.map((start, segment) => ({
    microseconds: (boundariesMicroseconds[segment + 1] ?? endMicroseconds) - start,
    bytes: 0,
  }))
  let segment = 0
  for (const [group, keyFrame] of index.keyFrameMicroseconds.entries()) {
    while ((boundariesMicroseconds[segment + 1] ?? Infinity) <= keyFrame - zero) segment += 1
    const piece = pieces[segment]
    if (piece !== undefined) piece.bytes += index.keyFrameBytes[group] ?? 0
  }
  return pieces
}

function rateOf({ microseconds, bytes }: Piece): number {
  return microseconds > 0 ? Math.ceil((bytes * 8 * MICROSECONDS_PER_SECOND) / microseconds) : 0
}
