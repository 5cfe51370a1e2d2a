import { computeRunningProducts, computeRunningSums, rangeSum } from './running-sums.ts'

/**
 * Pearson correlation of two sounds: 1 for the same sound at any volume, near 0 for unrelated sound and for silence. Sums from the
 * beginning make the correlation of any range cost the same, however long it is.
 */
export class Correlation {
  readonly #sums: { a: Float64Array; b: Float64Array; aa: Float64Array; bb: Float64Array; ab: Float64Array }

  /** Compares sample `i` of `a` with sample `i + lag` of `b`. Samples beyond an end of `b` are treated as silence. */
  constructor(a: Float32Array, b: Float32Array, lag: number) {
    const shifted = new Float32Array(a.length)
    if (lag > -a.length) shifted.set(b.subarray(Math.max(0, lag), Math.max(0, lag + a.length)), Math.max(0, -lag))
    this.#sums = {
      a: computeRunningSums(a),
      b: computeRunningSums(shifted),
      aa: computeRunningProducts(a, a),
      bb: computeRunningProducts(shifted, shifted),
      ab: computeRunningProducts(a, shifted),
    }
  }

  /** The correlation of `length` samples from `first`. */
  at(first: number, length: number): number {
    const { a, b, aa, bb, ab } = this.#sums
    const of = (sums: Float64Array): number => rangeSum(sums, first, length)
    return pearson({ sumA: of(a), sumB: of(b), squaresA: of(aa), squaresB: of(bb), products: of(ab), length })
  }
}

type Sums = { sumA: number; sumB: number; squaresA: number; squaresB: number; products: number; length: number }

/** Ranges quieter than this are silence; the sums from the beginning are not exact below it. */
const SILENT_SQUARES = 1e-9

function pearson({ sumA, sumB, squaresA, squaresB, products, length }: Sums): number {
  const spreadA = squaresA - (sumA * sumA) / length
  const spreadB = squaresB - (sumB * sumB) / length
  if (spreadA < SILENT_SQUARES || spreadB < SILENT_SQUARES) return 0
  return (products - (sumA * sumB) / length) / Math.sqrt(spreadA * spreadB)
}

/** A shift between two sounds, in samples, and the correlation at that shift. */
export type CorrelatedShift = { samples: number; correlation: number }

type Search = { length: number; center: number; reach: number }

/**
 * Finds the shift within `reach` of `center` at which `length` samples from `firstA` correlate best. Only the products depend on the shift;
 * the other sums of `b` come from sums from its beginning.
 */
export function findBestShift(
  a: Float32Array,
  firstA: number,
  b: Float32Array,
  { length, center, reach }: Search,
): CorrelatedShift {
  const own = a.subarray(firstA, firstA + length)
  const [sumsB, squaresB] = [computeRunningSums(b), computeRunningProducts(b, b)]
  const sumA = own.reduce((sum, sample) => sum + sample, 0)
  const squaresA = own.reduce((sum, sample) => sum + sample * sample, 0)
  const least = Math.max(center - reach, -firstA)
  const most = Math.min(center + reach, b.length - own.length - firstA)
  let best: CorrelatedShift = { samples: center, correlation: -1 }
  for (let samples = least; samples <= most; samples += 1) {
    const first = firstA + samples
    const sums = {
      sumA,
      squaresA,
      sumB: rangeSum(sumsB, first, own.length),
      squaresB: rangeSum(squaresB, first, own.length),
    }
    let products = 0
    for (let index = 0; index < own.length; index += 1) products += (own[index] ?? 0) * (b[first + index] ?? 0)
    const correlation = pearson({ ...sums, products, length: own.length })
    if (correlation > best.correlation) best = { samples, correlation }
  }
  return best
}

/** Every `factor`th sample, each the mean of those that it replaces. */
export function downsample(sound: Float32Array, factor: number): Float32Array {
  return Float32Array.from({ length: Math.floor(sound.length / factor) }, (_, index) => {
    let sum = 0
    for (let offset = 0; offset < factor; offset += 1) sum += sound[index * factor + offset] ?? 0
    return sum / factor
  })
}
