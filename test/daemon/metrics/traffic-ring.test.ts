import t from 'tap'
import { createRouteCounts } from '../../../src/daemon/metrics/route-counts.ts'
import {
  countReply,
  createTrafficRing,
  emptySum,
  percentile,
  sumTraffic,
} from '../../../src/daemon/metrics/traffic-ring.ts'
import { processorMilliseconds, readingMilliseconds } from '../../support/processor-time.ts'

void t.test('a ring keeps a fixed number of buckets', (t) => {
  const ring = createTrafficRing({ bucketSeconds: 10, buckets: 3 })
  for (let seconds = 1000; seconds < 1100; seconds += 1) ring.at(seconds).requests += 1
  const all = ring.between(0, Infinity)
  t.strictSame(
    all.map(({ startsAtSeconds, requests }) => [startsAtSeconds, requests]),
    [
      [1070, 10],
      [1080, 10],
      [1090, 10],
    ],
  )
  t.equal(ring.between(1080, 1090).length, 1)
  ring.at(5).requests += 1
  t.equal(ring.between(0, 10)[0]?.requests, 1, 'a clock that was set back')
  t.end()
})

void t.test('a span finds the buckets that begin in it, also across the end of the ring', (t) => {
  const ring = createTrafficRing({ bucketSeconds: 10, buckets: 7 })
  for (const seconds of [1000, 1010, 1030, 1040, 1050, 1060, 1070]) ring.at(seconds)
  const kept = [1010, 1030, 1040, 1050, 1060, 1070]
  for (let from = 990; from < 1090; from += 3) {
    for (let until = from - 20; until < from + 120; until += 7) {
      const found = ring.between(from, until).map(({ startsAtSeconds }) => startsAtSeconds)
      const expected = kept.filter((start) => start >= from && start < until)
      if (found.join() !== expected.join()) t.strictSame(found, expected, `${from} to ${until}`)
    }
  }
  t.strictSame(ring.between(-50, 0), [], 'before 1970')
  t.end()
})

void t.test('a history of a day by minutes visits each bucket once', (t) => {
  const ring = createTrafficRing({ bucketSeconds: 60, buckets: 1440 })
  for (let minute = 0; minute < 1440; minute += 1) ring.at(minute * 60)
  const unit = readingMilliseconds()
  const milliseconds = processorMilliseconds(() => {
    for (let minute = 0; minute < 1440; minute += 1) ring.between(minute * 60, minute * 60 + 60)
  })
  t.ok(milliseconds < 2 * unit, `${milliseconds / unit} units`)
  t.end()
})

void t.test('percentiles are known to a class, whatever the latency', (t) => {
  const sum = emptySum()
  t.equal(percentile(sum, 0.99), 0)
  for (let index = 0; index < 98; index += 1) countReply(sum, { milliseconds: 4, isError: false })
  countReply(sum, { milliseconds: 700, isError: true })
  countReply(sum, { milliseconds: 1e9, isError: false })
  t.strictSame(
    [0.5, 0.95, 0.99, 1].map((share) => percentile(sum, share)),
    [5, 5, 1000, 60_000],
  )
  const two = sumTraffic([sum, sum])
  t.match(two, { requests: 200, errors: 2 })
  t.equal(percentile(two, 0.99), 1000)
  t.end()
})

void t.test('routes are kept for an hour', (t) => {
  const counts = createRouteCounts()
  const answer = { method: 'GET', route: '/a', milliseconds: 2, isError: false }
  for (let minute = 0; minute < 200; minute += 1) counts.count(minute * 60, answer)
  const listed = (minutes: number, now = 199 * 60) => counts.list(now, { minutes, limit: 10 })
  t.match(listed(15), [{ method: 'GET', route: '/a', requests: 15, totalMilliseconds: 30, maxMilliseconds: 2 }])
  t.equal(listed(1000)[0]?.requests, 60)
  counts.count(0, { ...answer, route: '/b', milliseconds: 9 })
  t.match(listed(1), [{ route: '/b' }, { route: '/a' }], 'the slowest first, and a clock that was set back')
  t.equal(counts.list(199 * 60, { minutes: 1, limit: 1 }).length, 1)
  t.end()
})
