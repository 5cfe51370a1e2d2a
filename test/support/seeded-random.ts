/** Pseudo-random numbers, the same for the same seed. */
export type SeededRandom = {
  /** From 0 (inclusive) to 1 (exclusive). */
  fraction: () => number
  /** An integer from 0 to `limit - 1`. */
  below: (limit: number) => number
  pick: <Value>(values: readonly Value[]) => Value
  /** The same values in another order. */
  shuffled: <Value>(values: readonly Value[]) => Value[]
}

/** The generator is mulberry32 of Tommy Ettinger, public domain: https://gist.github.com/tommyettinger/46a874533244883189143505d203312c */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0
  const fraction = (): number => {
    state = (state + 0x6d_2b_79_f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(fraction() * limit)
  return {
    fraction,
    below,
    pick: (values) => values[below(values.length)] as (typeof values)[number],
    shuffled: (values) =>
      values
        .map((value) => [fraction(), value] as const)
        .toSorted(([a], [b]) => a - b)
        .map(([, value]) => value),
  }
}
