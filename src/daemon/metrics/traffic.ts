import type { Clock } from '../../core/platform/time/index.ts'
import { createOpenSockets, type OpenSocket, type OpenSockets } from './open-sockets.ts'
import { createRouteCounts, type RouteReply, type RouteCount, type RouteCounts } from './route-counts.ts'
import {
  countReply,
  createTrafficRing,
  percentile,
  sumTraffic,
  type TrafficRing,
  type TrafficSum,
} from './traffic-ring.ts'

/** Fine buckets for current traffic, coarse buckets for a day: about 400 KiB together, independent of load. */
const NOW = { bucketSeconds: 5, buckets: 132 }
const DAY = { bucketSeconds: 60, buckets: 1440 }

const MAX_CONNECTIONS = 500

/** Smaller steps back of the clock count as corrections. */
const SET_BACK_SECONDS = 60

type Latencies = { p50Milliseconds: number; p95Milliseconds: number; p99Milliseconds: number }

export type TrafficSnapshot = Latencies & {
  bytesInPerSecond: number
  bytesOutPerSecond: number
  openConnections: number
  requestsPerSecond: number
  /** Fraction of the requests, 0 to 1. */
  errorRate: number
}

export type TrafficSpan = Latencies & {
  startsAt: Date
  requests: number
  errors: number
  bytesInPerSecond: number
  bytesOutPerSecond: number
}

/** A response, for those who count them by other criteria. */
export type CompletedRequest = {
  method: string
  /** Route pattern. */
  route: string
  status: number
  milliseconds: number
  /** Rate-limit class of the route. */
  surface: string | undefined
}

/** Traffic of this process, in memory and of bounded size. It starts empty. */
export type Traffic = {
  sockets: Pick<OpenSockets, 'watch' | 'identify' | 'count'>
  /** Called with each response. */
  listeners: Set<(answered: CompletedRequest) => void>
  count(answer: RouteReply): void
  /** Records the traffic of the connections. Call it every few seconds. */
  sample(): void
  snapshot(windowSeconds: number): TrafficSnapshot
  /** Spans of equal length for the last `minutes`, or since the start if shorter; spans without traffic included. */
  history(span: { minutes: number; resolutionSeconds: number }): TrafficSpan[]
  /** Connections with traffic in the last seconds, the busiest first. */
  connections(withinSeconds: number): OpenSocket[]
  routes(span: { minutes: number; limit: number }): RouteCount[]
}

export function createTraffic(clock: Clock): Traffic {
  const sockets = createOpenSockets(clock)
  let counts = emptyCounts(clock.unixSeconds())

  /** Returns the counters and the current time. Counting restarts after the clock was set back, because the time spans would overlap. */
  function current(): Counts & { seconds: number } {
    const seconds = clock.unixSeconds()
    if (seconds < counts.latestSeconds - SET_BACK_SECONDS) counts = emptyCounts(seconds)
    counts.latestSeconds = Math.max(counts.latestSeconds, seconds)
    return { ...counts, seconds }
  }

  function sample(): void {
    const { bytesIn, bytesOut } = sockets.sample()
    const { now, day, seconds } = current()
    for (const ring of [now, day]) {
      const bucket = ring.at(seconds)
      bucket.bytesIn += bytesIn
      bucket.bytesOut += bytesOut
    }
  }

  return {
    sockets,
    listeners: new Set(),
    sample,
    count(answer) {
      const { now, day, routes, seconds } = current()
      countReply(now.at(seconds), answer)
      countReply(day.at(seconds), answer)
      routes.count(seconds, answer)
    },
    snapshot(windowSeconds) {
      sample()
      const { now, seconds, startedAtSeconds } = current()
      const sum = sumTraffic(now.between(seconds - windowSeconds + 1, seconds + 1))
      const span = Math.max(1, Math.min(windowSeconds, seconds - startedAtSeconds))
      return {
        ...latenciesOf(sum),
        bytesInPerSecond: Math.round(sum.bytesIn / span),
        bytesOutPerSecond: Math.round(sum.bytesOut / span),
        openConnections: sockets.size(),
        requestsPerSecond: sum.requests / span,
        errorRate: sum.requests === 0 ? 0 : sum.errors / sum.requests,
      }
    },
    history({ minutes, resolutionSeconds }) {
      sample()
      const { day, seconds, startedAtSeconds } = current()
      const last = seconds - (seconds % resolutionSeconds)
      const earliest = last - (Math.ceil((minutes * 60) / resolutionSeconds) - 1) * resolutionSeconds
      const first = Math.max(earliest, startedAtSeconds - (startedAtSeconds % resolutionSeconds))
      const spans: TrafficSpan[] = []
      for (let start = first; start <= last; start += resolutionSeconds) {
        const sum = sumTraffic(day.between(start, start + resolutionSeconds))
        const span = Math.max(1, Math.min(resolutionSeconds, seconds - start))
        spans.push({
          ...latenciesOf(sum),
          startsAt: new Date(start * 1000),
          requests: sum.requests,
          errors: sum.errors,
          bytesInPerSecond: Math.round(sum.bytesIn / span),
          bytesOutPerSecond: Math.round(sum.bytesOut / span),
        })
      }
      return spans
    },
    connections(withinSeconds) {
      sample()
      const since = clock.monotonicMilliseconds() - withinSeconds * 1000
      return sockets
        .list()
        .filter(({ busyAtMilliseconds }) => busyAtMilliseconds >= since)
        .toSorted((a, b) => rateOf(b) - rateOf(a))
        .slice(0, MAX_CONNECTIONS)
    },
    routes(span) {
      const { routes, seconds } = current()
      return routes.list(seconds, span)
    },
  }
}

type Counts = {
  now: TrafficRing
  day: TrafficRing
  routes: RouteCounts
  startedAtSeconds: number
  latestSeconds: number
}

function emptyCounts(seconds: number): Counts {
  const [now, day, routes] = [createTrafficRing(NOW), createTrafficRing(DAY), createRouteCounts()]
  return { now, day, routes, startedAtSeconds: seconds, latestSeconds: seconds }
}

function rateOf({ bytesInRate, bytesOutRate }: OpenSocket): number {
  return bytesInRate + bytesOutRate
}

function latenciesOf(sum: TrafficSum): Latencies {
  return {
    p50Milliseconds: percentile(sum, 0.5),
    p95Milliseconds: percentile(sum, 0.95),
    p99Milliseconds: percentile(sum, 0.99),
  }
}
