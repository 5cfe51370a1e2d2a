/** Upper bounds of the latency histogram. Percentiles are exact to one bucket; their cost does not grow with the traffic. */
const LATENCY_BOUNDS_MILLISECONDS = [
  1, 2, 3, 5, 8, 12, 20, 30, 50, 75, 100, 150, 250, 400, 650, 1000, 1500, 2500, 4000, 6500, 10_000, 60_000,
]

/** Traffic of one time span. */
export type TrafficSum = {
  requests: number
  /** Responses with status 500 or higher. */
  errors: number
  bytesIn: number
  bytesOut: number
  /** Requests by latency bucket. */
  latencies: Uint32Array
}

export type TrafficBucket = TrafficSum & { startsAtSeconds: number }

/** Ring of the most recent time spans of equal length. */
export type TrafficRing = {
  /** Returns the bucket for a time in Unix seconds; creates it if necessary. */
  at(unixSeconds: number): TrafficSum
  /** The buckets whose start lies in the time span, in order; empty buckets are omitted. */
  between(fromSeconds: number, untilSeconds: number): TrafficBucket[]
}

/** Creates a ring with a fixed number of buckets. A new bucket replaces the oldest. */
export function createTrafficRing({ bucketSeconds, buckets }: { bucketSeconds: number; buckets: number }): TrafficRing {
  const kept: (TrafficBucket | undefined)[] = Array.from({ length: buckets })
  return {
    at(unixSeconds) {
      const index = Math.floor(unixSeconds / bucketSeconds)
      const startsAtSeconds = index * bucketSeconds
      const bucket = kept[index % buckets]
      if (bucket?.startsAtSeconds === startsAtSeconds) return bucket
      const fresh = { startsAtSeconds, ...emptySum() }
      kept[index % buckets] = fresh
      return fresh
    },
    between(fromSeconds, untilSeconds) {
      const first = Math.ceil(fromSeconds / bucketSeconds)
      const count = Math.ceil(untilSeconds / bucketSeconds) - first
      // A history calls this once per span, so only the buckets of that span are visited.
      const visited =
        count < buckets
          ? Array.from({ length: Math.max(0, count) }, (_, index) => kept[(first + index) % buckets])
          : kept
      return visited
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
    latencies: new Uint32Array(LATENCY_BOUNDS_MILLISECONDS.length + 1),
  }
}

/** Sum of several spans. */
export function sumTraffic(parts: readonly TrafficSum[]): TrafficSum {
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

/** Counts one response. */
export function countReply(
  sum: TrafficSum,
  { milliseconds, isError }: { milliseconds: number; isError: boolean },
): void {
  sum.requests += 1
  if (isError) sum.errors += 1
  const found = LATENCY_BOUNDS_MILLISECONDS.findIndex((end) => milliseconds <= end)
  const index = found === -1 ? LATENCY_BOUNDS_MILLISECONDS.length : found
  sum.latencies[index] = (sum.latencies[index] ?? 0) + 1
}

/** Upper bound in milliseconds of the histogram bucket that contains this quantile; 0 without requests. */
export function percentile({ requests, latencies }: TrafficSum, share: number): number {
  let left = Math.ceil(requests * share)
  if (left === 0) return 0
  for (const [index, count] of latencies.entries()) {
    left -= count
    if (left <= 0) return LATENCY_BOUNDS_MILLISECONDS[index] ?? LATENCY_BOUNDS_MILLISECONDS.at(-1) ?? 0
  }
  return 0
}
