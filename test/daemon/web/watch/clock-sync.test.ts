import t from 'tap'
import { seededRandom } from '../../../support/seeded-random.ts'

type Pong = { clientTime: number; serverTime: number; serverSendTime: number }

type ClockSync = {
  add(pong: Pong, receivedAt: number): void
  renew(): void
  isKnown(): boolean
  serverTime(clientTime?: number): number
  clientTime(serverTime: number): number
  roundTrip(): number | undefined
}

// The pages of the browser are JavaScript without type declarations.
const path = new URL('../../../../src/daemon/web/watch/clock-sync.js', import.meta.url).href
const { createClockSync } = (await import(path)) as { createClockSync: (now: () => number) => ClockSync }

/** Sends a ping over a link with these delays, at a client time; the clocks differ by `offset`. */
function ping(
  clock: ClockSync,
  { at, up, down, offset }: { at: number; up: number; down: number; offset: number },
): void {
  const serverTime = at + up + offset
  clock.add({ clientTime: at, serverTime, serverSendTime: serverTime + 3 }, at + up + 3 + down)
}

void t.test('the difference is exact on a symmetric link, without the time in the server', (t) => {
  const clock = createClockSync(() => 1000)
  t.notOk(clock.isKnown())
  ping(clock, { at: 0, up: 20, down: 20, offset: 600_000 })
  t.equal(clock.serverTime(), 601_000)
  t.equal(clock.clientTime(601_000), 1000)
  t.equal(clock.roundTrip(), 40)
  clock.renew()
  t.equal(clock.serverTime(), 601_000, 'the time is known until the first answer of a new connection')
  ping(clock, { at: 0, up: 20, down: 20, offset: 600_010 })
  t.equal(clock.serverTime(), 601_010, 'which replaces the earlier ones')
  t.end()
})

void t.test('an asymmetric link causes an error of half its asymmetry, jitter none (seed 7)', (t) => {
  const random = seededRandom(7)
  const clock = createClockSync(() => 0)
  for (let index = 0; index < 16; index += 1) {
    const late = index % 4 === 0 ? 0 : random.fraction() * 200
    ping(clock, { at: index * 4000, up: 30, down: 20 + late, offset: -5000 })
  }
  t.equal(clock.serverTime(), -4995, 'the pings without delay are used')
  t.end()
})

void t.test(
  'a jump of the clock replaces the earlier samples; answers that are too late or impossible do not count',
  (t) => {
    const clock = createClockSync(() => 0)
    for (let at = 0; at < 5; at += 1) ping(clock, { at, up: 10, down: 10, offset: 0 })
    ping(clock, { at: 10, up: 10, down: 5000, offset: 9000 })
    clock.add({ clientTime: 100, serverTime: 100, serverSendTime: 100 }, 50)
    clock.add({ clientTime: NaN, serverTime: 100, serverSendTime: 100 }, 50)
    t.equal(clock.serverTime(), 0)
    ping(clock, { at: 20, up: 10, down: 10, offset: 3_600_000 })
    t.equal(clock.serverTime(), 3_600_000)
    t.end()
  },
)
