/**
 * The sum of all values before each position; the result has one element more than the values. The sum of a range is the difference of two
 * elements.
 */
export function computeRunningSums(values: ArrayLike<number>): Float64Array {
  const sums = new Float64Array(values.length + 1)
  for (let index = 0; index < values.length; index += 1) sums[index + 1] = (sums[index] ?? 0) + (values[index] ?? 0)
  return sums
}

/** The running sums of the products of two sounds. */
export function computeRunningProducts(a: Float32Array, b: Float32Array): Float64Array {
  const sums = new Float64Array(a.length + 1)
  for (let index = 0; index < a.length; index += 1) {
    sums[index + 1] = (sums[index] ?? 0) + (a[index] ?? 0) * (b[index] ?? 0)
  }
  return sums
}

/** The sum of `length` values from `first`. */
export function rangeSum(sums: Float64Array, first: number, length: number): number {
  return (sums[first + length] ?? 0) - (sums[first] ?? 0)
}
