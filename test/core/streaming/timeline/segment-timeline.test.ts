import t from 'tap'
import {
  frameTime,
  makeFrameGrid,
  outputFrameRate,
  formatMicrosecondsAsSeconds,
  segmentCount,
  segmentFrameRange,
} from '../../../../src/core/streaming/timeline/segment-timeline.ts'

const FILM = { numerator: 24_000, denominator: 1001 }
const PAL = { numerator: 25, denominator: 1 }

void t.test('a rate near n or n * 1000/1001 becomes exactly that', (t) => {
  const cases: [average: string, numerator: number, denominator: number][] = [
    ['24000/1001', 24_000, 1001],
    ['2997/125', 24_000, 1001],
    ['24/1', 24, 1],
    ['25/1', 25, 1],
    ['30000/1001', 30_000, 1001],
    ['2997/100', 30_000, 1001],
    ['30/1', 30, 1],
    ['50/1', 50, 1],
    ['60000/1001', 60_000, 1001],
    ['18/1', 18, 1],
    ['1/1', 1, 1],
  ]
  for (const [average, numerator, denominator] of cases) {
    t.strictSame(outputFrameRate(average), { numerator, denominator }, average)
  }
  t.end()
})

void t.test('a rate that is not close to an integer is mapped to the nearest common rate, at most 60', (t) => {
  t.strictSame(outputFrameRate('401/20'), { numerator: 24_000, denominator: 1001 }, '20.05')
  t.strictSame(outputFrameRate('57/2'), { numerator: 30_000, denominator: 1001 }, '28.5')
  t.strictSame(outputFrameRate('120/1'), { numerator: 60, denominator: 1 }, '120')
  t.strictSame(outputFrameRate('90000/1'), { numerator: 60, denominator: 1 }, 'a clock rate in place of a frame rate')
  t.strictSame(outputFrameRate('1/5'), { numerator: 10, denominator: 1 }, 'a slide show')
  t.end()
})

void t.test('an unknown rate is 25', (t) => {
  for (const average of [null, '', '0/0', '25/0', '0/1', '-25/1', '25', 'N/A']) {
    t.strictSame(outputFrameRate(average), PAL, String(average))
  }
  t.end()
})

void t.test('six seconds are rounded to whole frames', (t) => {
  const cases: [average: string, frames: number][] = [
    ['24/1', 144],
    ['24000/1001', 144],
    ['25/1', 150],
    ['30000/1001', 180],
    ['30/1', 180],
    ['50/1', 300],
    ['60000/1001', 360],
  ]
  for (const [average, frames] of cases) {
    const grid = makeFrameGrid({ frameRate: outputFrameRate(average), durationSeconds: 100 })
    t.equal(grid.framesPerSegment, frames, average)
  }
  t.end()
})

void t.test('the number of segments follows from the frames, not from the duration', (t) => {
  // 473 segments of 6 s cover 2,838 s; at 24000/1001 they last 6.006 s each and 472.53 of them are needed.
  const grid = makeFrameGrid({ frameRate: FILM, durationSeconds: 2838 })
  t.equal(grid.frameCount, 68_044)
  t.equal(segmentCount(grid), 473)
  t.equal(segmentCount(makeFrameGrid({ frameRate: FILM, durationSeconds: 6.006 })), 1)
  t.equal(segmentCount(makeFrameGrid({ frameRate: PAL, durationSeconds: 12 })), 2)
  t.equal(segmentCount(makeFrameGrid({ frameRate: PAL, durationSeconds: 12.04 })), 3)
  t.equal(segmentCount(makeFrameGrid({ frameRate: PAL, durationSeconds: 0 })), 1, 'a single picture')
  t.equal(segmentCount(makeFrameGrid({ frameRate: PAL, durationSeconds: 0, frameCount: 301 })), 3, 'a known count wins')
  t.end()
})

void t.test('segments contain every frame once', (t) => {
  const grid = makeFrameGrid({ frameRate: FILM, durationSeconds: 20.02 })
  const ranges = Array.from({ length: segmentCount(grid) }, (_, index) => segmentFrameRange(grid, index))
  t.strictSame(ranges, [
    { first: 0, end: 144 },
    { first: 144, end: 288 },
    { first: 288, end: 432 },
    { first: 432, end: 480 },
  ])
  t.end()
})

void t.test('times are rounded from the exact fraction', (t) => {
  const at = (frame: number, unitsPerSecond: number) =>
    (['floor', 'nearest', 'ceil'] as const).map((rounding) => frameTime(FILM, { frame, unitsPerSecond, rounding }))
  t.strictSame(at(144, 90_000), [540_540, 540_540, 540_540], 'a segment is a whole number of ticks')
  t.strictSame(at(1, 90_000), [3753, 3754, 3754], '3,753.75')
  t.strictSame(at(-1, 90_000), [-3754, -3754, -3753], 'below zero too')
  t.strictSame(at(24_000, 1_000_000), [1_001_000_000, 1_001_000_000, 1_001_000_000])
  const aDay = 24 * 3600 * 60
  t.equal(
    frameTime({ numerator: 60_000, denominator: 1001 }, { frame: aDay, unitsPerSecond: 1_000_000, rounding: 'floor' }),
    86_486_400_000,
    'after a day',
  )
  t.end()
})

void t.test('seconds are written with six decimals', (t) => {
  t.equal(formatMicrosecondsAsSeconds(6_006_000), '6.006000')
  t.equal(formatMicrosecondsAsSeconds(5), '0.000005')
  t.equal(formatMicrosecondsAsSeconds(0), '0.000000')
  t.equal(formatMicrosecondsAsSeconds(-21_000), '-0.021000')
  t.equal(formatMicrosecondsAsSeconds(5_001_400_000), '5001.400000')
  t.end()
})
