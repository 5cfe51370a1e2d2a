/**
 * Pearson correlation of two sounds: 1 for the same sound at any volume, near 0 for unrelated sound and for silence. Sums from the
 * beginning make the correlation of any range cost the same, however long it is.
 */
export class Correlation {
  readonly #sums: { a: Float64Array; b: Float64Array; aa: Float64Array; bb: Float64Array; ab: Float64Array }

  /** Compares sample `i` of `a` with sample `i + lag` of `b`. Samples beyond an end of `b` count as silence. */
  constructor(a: Float32Array, b: Float32Array, lag: number) {
    const count = a.length + 1
    const create = (): Float64Array => new Float64Array(count)
    const sums = { a: create(), b: create(), aa: create(), bb: create(), ab: create() }
    for (let index = 0; index < a.length; index += 1) {
      const sampleA = a[index] ?? 0
      const sampleB = b[index + lag] ?? 0
      sums.a[index + 1] = (sums.a[index] ?? 0) + sampleA
      sums.b[index + 1] = (sums.b[index] ?? 0) + sampleB
      sums.aa[index + 1] = (sums.aa[index] ?? 0) + sampleA * sampleA
      sums.bb[index + 1] = (sums.bb[index] ?? 0) + sampleB * sampleB
      sums.ab[index + 1] = (sums.ab[index] ?? 0) + sampleA * sampleB
    }
    this.#sums = sums
  }

  /** The correlation of `length` samples from `first`. */
  at(first: number, length: number): number {
    const { a, b, aa, bb, ab } = this.#sums
    const of = (sums: Float64Array): number => (sums[first + length] ?? 0) - (sums[first] ?? 0)
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
export type Lag = { samples: number; correlation: number }

type Search = { length: number; center: number; reach: number }

/**
 * Finds the shift within `reach` of `center` at which `length` samples from `firstA` correlate best. Only the products depend on the shift;
 * the other sums of `b` come from sums from its beginning.
 */
export function bestLag(a: Float32Array, firstA: number, b: Float32Array, { length, center, reach }: Search): Lag {
  const own = a.subarray(firstA, firstA + length)
  const sumsB = new Float64Array(b.length + 1)
  const squaresB = new Float64Array(b.length + 1)
  for (let index = 0; index < b.length; index += 1) {
    const sample = b[index] ?? 0
    sumsB[index + 1] = (sumsB[index] ?? 0) + sample
    squaresB[index + 1] = (squaresB[index] ?? 0) + sample * sample
  }
  let [sumA, squaresA] = [0, 0]
  for (const sample of own) {
    sumA += sample
    squaresA += sample * sample
  }
  let best: Lag = { samples: center, correlation: -1 }
  for (let samples = center - reach; samples <= center + reach; samples += 1) {
    const first = firstA + samples
    if (first < 0 || first + own.length > b.length) continue
    let products = 0
    for (let index = 0; index < own.length; index += 1) products += (own[index] ?? 0) * (b[first + index] ?? 0)
    const correlation = pearson({
      sumA,
      squaresA,
      sumB: (sumsB[first + own.length] ?? 0) - (sumsB[first] ?? 0),
      squaresB: (squaresB[first + own.length] ?? 0) - (squaresB[first] ?? 0),
      products,
      length: own.length,
    })
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
