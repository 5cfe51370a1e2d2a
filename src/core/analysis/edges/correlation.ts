/**
 * Pearson correlation of `length` samples of two sounds from the given positions: 1 for the same sound at any volume, near 0 for unrelated
 * sound and for silence. Samples beyond an end count as silence.
 */
export function correlationAt(
  [a, firstA]: readonly [Float32Array, number],
  [b, firstB]: readonly [Float32Array, number],
  length: number,
): number {
  let [sumA, sumB, squaresA, squaresB, products] = [0, 0, 0, 0, 0]
  for (let index = 0; index < length; index += 1) {
    const [sampleA, sampleB] = [a[firstA + index] ?? 0, b[firstB + index] ?? 0]
    sumA += sampleA
    sumB += sampleB
    squaresA += sampleA * sampleA
    squaresB += sampleB * sampleB
    products += sampleA * sampleB
  }
  const spread = (squaresA - (sumA * sumA) / length) * (squaresB - (sumB * sumB) / length)
  return spread <= 0 ? 0 : (products - (sumA * sumB) / length) / Math.sqrt(spread)
}

/** A shift between two sounds, in samples, and the correlation at that shift. */
export type Lag = { samples: number; correlation: number }

type Search = { length: number; center: number; reach: number; step?: number }

/** Finds the shift within `reach` of `center` at which `length` samples from `firstA` correlate best. */
export function bestLag(
  a: Float32Array,
  firstA: number,
  b: Float32Array,
  { length, center, reach, step = 1 }: Search,
): Lag {
  let best: Lag = { samples: center, correlation: -1 }
  for (let samples = center - reach; samples <= center + reach; samples += step) {
    const correlation = correlationAt([a, firstA], [b, firstA + samples], length)
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
