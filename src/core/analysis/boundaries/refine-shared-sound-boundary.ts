import { findBestShift, Correlation, downsample } from './correlation.ts'

/** Samples per second of the sound that is compared. */
export const BOUNDARY_SAMPLE_RATE = 8000
/** Seconds of sound around an edge that are compared. */
export const BOUNDARY_WINDOW_SECONDS = 16

/** The coarse edge is off by up to this time where nothing is spoken over the motif. */
const COARSE_ERROR_SECONDS = 1.5
const INSIDE_SECONDS = 3
/** The largest offset between two files: one step of the fingerprint plus the drift between encoders. */
const MAX_LAG_SECONDS = 0.175
const COARSE_FACTOR = 4
/** Below this correlation the files do not have the same waveform, for example because one is at another speed. */
const MIN_CORRELATION = 0.5
const FRAME_SECONDS = 0.16
const STEP_SECONDS = 0.02
/** Frames with a smaller part of the usual likeness inside are outside. Speech over the motif halves the likeness. */
const MIN_LIKENESS_SHARE = 0.4
/** A partner whose likeness outside is at least this part of that inside shows no edge. */
const MAX_OUTSIDE_SHARE = 0.7

export type BoundarySide = 'start' | 'end'

const OPPOSITE = { start: 'end', end: 'start' } as const

/** Sound of `BOUNDARY_WINDOW_SECONDS` at `BOUNDARY_SAMPLE_RATE` whose middle is the coarse edge. */
export type BoundarySamples = Float32Array

/**
 * Finds a boundary of shared sound exactly: the place where the waveforms of two files begin or cease to be the same. With several partners
 * the mean of their similarity is used, so that speech over the motif in one partner has little effect.
 * @param own the sound around the coarse edge
 * @param partners the sound of other files around the corresponding time
 * @returns seconds relative to the middle of `own`; undefined if no partner has the same waveform inside the motif and a different one
 * outside
 */
export function refineSharedSoundBoundary(
  own: BoundarySamples,
  partners: readonly BoundarySamples[],
  side: BoundarySide,
): number | undefined {
  const inside = insideOf(own.length, side)
  const frame = Math.round(FRAME_SECONDS * BOUNDARY_SAMPLE_RATE)
  const step = Math.round(STEP_SECONDS * BOUNDARY_SAMPLE_RATE)
  const count = Math.floor((own.length - frame) / step) + 1
  const aligned = partners.flatMap((partner) => {
    const lag = findLag(own, partner, inside)
    return lag === undefined ? [] : [{ partner, lag }]
  })
  if (aligned.length === 0) return undefined
  const framesIn = (first: number): number[] =>
    [...Array(count).keys()].filter((index) => index * step >= first && index * step + frame <= first + insideLength())
  const [insideFrames, outsideFrames] = [framesIn(inside), framesIn(insideOf(own.length, OPPOSITE[side]))]
  const curves = aligned
    .map(({ partner, lag }) => {
      const correlation = new Correlation(own, partner, lag)
      return Float64Array.from({ length: count }, (_, index) => correlation.at(index * step, frame))
    })
    // Another edition of the same episode is the same on both sides of the edge.
    .filter((curve) => medianAt(curve, outsideFrames) < MAX_OUTSIDE_SHARE * medianAt(curve, insideFrames))
  if (curves.length === 0) return undefined
  const likeness = Float64Array.from({ length: count }, (_, index) => {
    return curves.reduce((sum, curve) => sum + (curve[index] ?? 0), 0) / curves.length
  })
  const threshold = medianAt(likeness, insideFrames) * MIN_LIKENESS_SHARE
  const split = bestSplit(likeness, { threshold, side })
  if (split === 0 || split === likeness.length) return undefined
  return (split * step + frame / 2) / BOUNDARY_SAMPLE_RATE - BOUNDARY_WINDOW_SECONDS / 2
}

/** The first sample of the part that is inside the motif for certain. */
function insideOf(length: number, side: BoundarySide): number {
  const distance = Math.round(COARSE_ERROR_SECONDS * BOUNDARY_SAMPLE_RATE)
  return side === 'start' ? length / 2 + distance : length / 2 - distance - insideLength()
}

function insideLength(): number {
  return INSIDE_SECONDS * BOUNDARY_SAMPLE_RATE
}

/** The shift of the partner in samples: found at a quarter of the sample rate, then exactly. */
function findLag(own: BoundarySamples, partner: BoundarySamples, inside: number): number | undefined {
  const coarse = findBestShift(
    downsample(own, COARSE_FACTOR),
    inside / COARSE_FACTOR,
    downsample(partner, COARSE_FACTOR),
    {
      length: insideLength() / COARSE_FACTOR,
      center: 0,
      reach: Math.round((MAX_LAG_SECONDS * BOUNDARY_SAMPLE_RATE) / COARSE_FACTOR),
    },
  )
  if (coarse.correlation < MIN_CORRELATION) return undefined
  const search = { length: insideLength(), center: coarse.samples * COARSE_FACTOR, reach: COARSE_FACTOR }
  const exact = findBestShift(own, inside, partner, search)
  return exact.correlation < MIN_CORRELATION ? undefined : exact.samples
}

/** The index that separates the frames inside from those outside: the sum of their distances from the threshold is largest there. */
function bestSplit(likeness: Float64Array, { threshold, side }: { threshold: number; side: BoundarySide }): number {
  const sign = side === 'end' ? 1 : -1
  let sum = 0
  let best = { split: 0, sum: 0 }
  for (const [index, value] of likeness.entries()) {
    sum += sign * (value - threshold)
    if (sum > best.sum) best = { split: index + 1, sum }
  }
  return best.split
}

function medianAt(curve: Float64Array, frames: readonly number[]): number {
  const values = Float64Array.from(frames, (index) => curve[index] ?? 0)
  return values.toSorted()[values.length >> 1] ?? 0
}
