import t from 'tap'
import { DAYS, createAllowedTimes, type Day, type TimeWindow } from '../../../src/core/playback-limits/time-windows.ts'
import { seededRandom } from '../../support/seeded-random.ts'

const BERLIN = 'Europe/Berlin'
const hours = (start: string, end: string, days: readonly Day[] = DAYS, zone = BERLIN): TimeWindow => ({
  startMinute: minuteOf(start),
  endMinute: minuteOf(end),
  days,
  zone,
})
const minuteOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))
const isWithinTimeWindows = (schedules: readonly TimeWindow[], now: Date): boolean =>
  createAllowedTimes([schedules]).includes(now)
const nextWithinTimeWindows = (schedules: readonly TimeWindow[], now: Date): Date | undefined =>
  createAllowedTimes([schedules]).next(now)
const at = (text: string): Date => new Date(text)
const next = (schedules: readonly TimeWindow[], now: string): string | undefined =>
  nextWithinTimeWindows(schedules, at(now))?.toISOString()

void t.test('without schedules every moment is allowed', (t) => {
  t.ok(isWithinTimeWindows([], at('2026-01-01T00:00:00Z')))
  t.equal(next([], '2026-01-01T00:00:30Z'), '2026-01-01T00:00:30.000Z')
  t.end()
})

void t.test('hours begin with their first minute and end before their last, in their zone', (t) => {
  const evening = [hours('17:00', '19:30', ['mon', 'wed'])]
  // 2026-01-05 is a Monday; Berlin is one hour ahead.
  for (const [now, expected] of [
    ['2026-01-05T15:59:59Z', false],
    ['2026-01-05T16:00:00Z', true],
    ['2026-01-05T18:29:59Z', true],
    ['2026-01-05T18:30:00Z', false],
    ['2026-01-06T17:00:00Z', false],
    ['2026-01-07T17:00:00Z', true],
  ] as const) {
    t.equal(isWithinTimeWindows(evening, at(now)), expected, now)
  }
  t.equal(next(evening, '2026-01-05T18:30:00Z'), '2026-01-07T16:00:00.000Z')
  t.equal(next(evening, '2026-01-07T18:30:30Z'), '2026-01-12T16:00:00.000Z')
  t.equal(next([hours('17:00', '18:00', [])], '2026-01-05T18:30:00Z'), undefined, 'no day, no hours')
  t.equal(next([...evening, hours('06:00', '07:00', ['tue'])], '2026-01-05T18:30:00Z'), '2026-01-06T05:00:00.000Z')
  t.end()
})

void t.test('hours over midnight belong to the day on which they begin', (t) => {
  const night = [hours('20:00', '02:00', ['sat'], 'UTC')]
  for (const [now, expected] of [
    ['2026-01-03T19:59:00Z', false],
    ['2026-01-03T20:00:00Z', true],
    ['2026-01-04T01:59:00Z', true],
    ['2026-01-04T02:00:00Z', false],
    ['2026-01-03T01:00:00Z', false],
    ['2026-01-04T21:00:00Z', false],
  ] as const) {
    t.equal(isWithinTimeWindows(night, at(now)), expected, now)
  }
  t.ok(isWithinTimeWindows([hours('00:00', '00:00', ['mon'], 'UTC')], at('2026-01-05T23:59:59Z')), 'the whole day')
  t.notOk(isWithinTimeWindows([hours('00:00', '00:00', ['mon'], 'UTC')], at('2026-01-06T00:00:00Z')))
  t.end()
})

void t.test('changes to and from daylight saving time move the hours with the clock on the wall', (t) => {
  // In Berlin clocks go from 02:00 to 03:00 on 2026-03-29, and from 03:00 back to 02:00 on 2026-10-25.
  const morning = [hours('07:00', '08:00')]
  t.equal(next(morning, '2026-03-28T08:00:00Z'), '2026-03-29T05:00:00.000Z')
  t.equal(next(morning, '2026-10-24T08:00:00Z'), '2026-10-25T06:00:00.000Z')
  const skipped = [hours('02:15', '02:45')]
  t.equal(next(skipped, '2026-03-29T00:00:00Z'), '2026-03-30T00:15:00.000Z', 'the skipped hour is none')
  const partly = [hours('02:30', '03:30')]
  t.equal(next(partly, '2026-03-29T00:00:00Z'), '2026-03-29T01:00:00.000Z', 'it begins with what is there')
  t.ok(isWithinTimeWindows(skipped, at('2026-10-25T00:30:00Z')), 'the repeated hour counts')
  t.ok(isWithinTimeWindows(skipped, at('2026-10-25T01:30:00Z')), 'twice')
  t.notOk(isWithinTimeWindows(skipped, at('2026-10-25T01:00:00Z')))
  // Lord Howe moves by half an hour.
  t.equal(
    next([hours('06:00', '07:00', DAYS, 'Australia/Lord_Howe')], '2026-10-03T21:00:00Z'),
    '2026-10-04T19:00:00.000Z',
  )
  t.end()
})

void t.test('the next moment is the first one, for random hours', (t) => {
  const random = seededRandom(72)
  for (let round = 0; round < 40; round += 1) {
    const zone = random.pick([BERLIN, 'America/St_Johns', 'Asia/Kathmandu', 'UTC', 'Australia/Lord_Howe'])
    const schedules = Array.from({ length: 1 + random.below(2) }, (): TimeWindow => ({
      startMinute: random.below(1440),
      endMinute: random.below(1440),
      days: DAYS.filter(() => random.below(4) === 0),
      zone,
    }))
    const start = Date.UTC(2026, random.pick([2, 9]), 20) + random.below(14 * 1440) * 60_000
    const found = nextWithinTimeWindows(schedules, new Date(start))
    const end = found?.getTime() ?? start + 8 * 1440 * 60_000
    const before = [end - 60_000]
    for (let time = start; time < end; time += 17 * 60_000) before.push(time)
    const isWithin = (time: number): boolean => isWithinTimeWindows(schedules, new Date(time))
    const name = JSON.stringify([schedules, start])
    t.equal(found === undefined || isWithin(found.getTime()), true, name)
    t.notOk(before.filter((time) => time >= start).some(isWithin), `${name}: none before`)
  }
  t.end()
})

void t.test('of several lists, one schedule of each must include the moment', (t) => {
  const open = createAllowedTimes([
    [hours('08:00', '20:00', DAYS, 'UTC')],
    [],
    [hours('18:00', '22:00', ['mon'], 'UTC')],
  ])
  for (const [now, expected] of [
    ['2026-01-05T17:59:00Z', false],
    ['2026-01-05T18:00:00Z', true],
    ['2026-01-05T19:59:00Z', true],
    ['2026-01-05T20:00:00Z', false],
    ['2026-01-06T18:30:00Z', false],
  ] as const) {
    t.equal(open.includes(at(now)), expected, now)
  }
  t.equal(open.next(at('2026-01-05T20:00:00Z'))?.toISOString(), '2026-01-12T18:00:00.000Z')
  const never = createAllowedTimes([[hours('08:00', '09:00', DAYS, 'UTC')], [hours('09:00', '10:00', DAYS, 'UTC')]])
  t.equal(never.next(at('2026-01-05T20:00:00Z')), undefined)
  t.end()
})

void t.test('the clock of a zone is read for a whole day, however many schedules and requests there are', (t) => {
  let made = 0
  const { DateTimeFormat } = Intl
  class Counted extends DateTimeFormat {
    constructor(...input: ConstructorParameters<typeof DateTimeFormat>) {
      super(...input)
      made += 1
    }
  }
  Intl.DateTimeFormat = Counted as unknown as typeof DateTimeFormat
  t.teardown(() => void (Intl.DateTimeFormat = DateTimeFormat))
  const closed = createAllowedTimes([Array.from({ length: 20 }, () => hours('17:00', '18:00', []))])
  const evenings = createAllowedTimes([Array.from({ length: 20 }, (_, index) => hours('17:00', `18:${10 + index}`))])
  const start = Date.UTC(2026, 2, 28)
  for (let minute = 0; minute < 1440; minute += 10) {
    const now = new Date(start + minute * 60_000)
    closed.includes(now)
    closed.next(now)
    evenings.includes(now)
    evenings.next(now)
  }
  t.equal(made, 1, 'schedules without days ask no clock')
  t.ok(evenings.includes(at('2026-03-29T15:00:00Z')), 'the next day')
  t.equal(made, 2)
  t.end()
})
