import t from 'tap'
import { createTraffic } from '../../../src/daemon/metrics/traffic.ts'
import { jumpingClock } from '../../support/jumping-clock.ts'

const ANSWER = { method: 'GET', route: '/', milliseconds: 5, isError: false }

void t.test('counting starts again when the clock is set back, and only then', (t) => {
  const clock = jumpingClock('2026-03-01T12:00:00.000Z')
  const traffic = createTraffic(clock)
  const counted = (): number[] => traffic.history({ minutes: 5, resolutionSeconds: 60 }).map(({ requests }) => requests)
  traffic.count(ANSWER)
  clock.set(-7200)
  traffic.count(ANSWER)
  traffic.count(ANSWER)
  clock.advance(60)
  t.strictSame(counted(), [2, 0])
  t.match(traffic.routes({ minutes: 5, limit: 10 }), [{ requests: 2 }])
  t.equal(traffic.snapshot(120).requestsPerSecond, 2 / 60, 'over the time since then')
  clock.set(-1)
  traffic.count(ANSWER)
  t.strictSame(counted(), [3], 'a correction changes nothing')
  clock.set('2038-01-20T00:00:00.000Z')
  traffic.count(ANSWER)
  t.strictSame(counted(), [0, 0, 0, 0, 1], 'a jump ahead is a time without requests')
  t.end()
})
