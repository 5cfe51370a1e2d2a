/** Upper ends of the classes that latencies are counted in: percentiles are known to a class, at a constant cost. */
const CLASS_ENDS_MILLISECONDS = [
  1, 2, 3, 5, 8, 12, 20, 30, 50, 75, 100, 150, 250, 400, 650, 1000, 1500, 2500, 4000, 6500, 10_000, 60_000,
]

/** What went on in a span of time. */
export type TrafficSum = {
  requests: number
  /** Answered with a status of 500 or more. */
  errors: number
  bytesIn: number
  bytesOut: number
  /** Requests by class of latency. */
  latencies: Uint32Array
}

export type TrafficBucket = TrafficSum & { startsAtSeconds: number }

/** The last so many spans of time, of equal length. */
export type TrafficRing = {
  /** The bucket of a time in Unix seconds, to be counted up. */
  at(unixSeconds: number): TrafficSum
  /** The buckets that begin in a span of time, in order; empty ones are left out. */
  between(fromSeconds: number, untilSeconds: number): TrafficBucket[]
}

/** Keeps as many buckets as there are at the most: the oldest is used again. */
export function createTrafficRing({ bucketSeconds, buckets }: { bucketSeconds: number; buckets: number }): TrafficRing {
  const kept: (TrafficBucket | undefined)[] = Array.from({ length: buckets })
  return {
    at(unixSeconds) {
      const index = Math.floor(unixSeconds / bucketSeconds)
      const startsAtSeconds = index * bucketSeconds
      const found = kept[index % buckets]
      if (found?.startsAtSeconds === startsAtSeconds) return found
      const fresh = { startsAtSeconds, ...emptySum() }
      kept[index % buckets] = fresh
      return fresh
    },
    between(fromSeconds, untilSeconds) {
      const first = Math.ceil(fromSeconds / bucketSeconds)
      const count = Math.ceil(untilSeconds / bucketSeconds) - first
      // A history asks once for each of its spans: only the buckets of the span are looked at.
      const looked =
        count < buckets
          ? Array.from({ length: Math.max(0, count) }, (_, index) => kept[(first + index) % buckets])
          : kept
      return looked
        .filter((bucket) => bucket !== undefined)
        .filter(({ startsAtSeconds }) => startsAtSeconds >= fromSeconds && startsAtSeconds < untilSeconds)
        .toSorted((a, b) => a.startsAtSeconds - b.startsAtSeconds)
    },
  }
}

export function emptySum(): TrafficSum {
  return {
    requests: 0,
    errors: 0,
    bytesIn: 0,
    bytesOut: 0,
    latencies: new Uint32Array(CLASS_ENDS_MILLISECONDS.length + 1),
  }
}

/** The sum of several spans. */
export function sumOf(parts: readonly TrafficSum[]): TrafficSum {
  const sum = emptySum()
  for (const part of parts) {
    sum.requests += part.requests
    sum.errors += part.errors
    sum.bytesIn += part.bytesIn
    sum.bytesOut += part.bytesOut
    for (const [index, count] of part.latencies.entries()) sum.latencies[index] = (sum.latencies[index] ?? 0) + count
  }
  return sum
}

/** Counts one answer. */
export function countAnswer(
  sum: TrafficSum,
  { milliseconds, isError }: { milliseconds: number; isError: boolean },
): void {
  sum.requests += 1
  if (isError) sum.errors += 1
  const found = CLASS_ENDS_MILLISECONDS.findIndex((end) => milliseconds <= end)
  const index = found === -1 ? CLASS_ENDS_MILLISECONDS.length : found
  sum.latencies[index] = (sum.latencies[index] ?? 0) + 1
}

/** The end of the class, in milliseconds, that this share of the requests did not exceed; 0 without requests. */
export function percentile({ requests, latencies }: TrafficSum, share: number): number {
  let left = Math.ceil(requests * share)
  if (left === 0) return 0
  for (const [index, count] of latencies.entries()) {
    left -= count
    if (left <= 0) return CLASS_ENDS_MILLISECONDS[index] ?? CLASS_ENDS_MILLISECONDS.at(-1) ?? 0
  }
  return 0
}
