import t from 'tap'
import { audioWindow, SAMPLES_PER_PACKET } from '../../../../src/core/streaming/timeline/audio-timeline.ts'
import { makeFrameGrid, segmentCount } from '../../../../src/core/streaming/timeline/segment-timeline.ts'

const film = makeFrameGrid({ frameRate: { numerator: 24_000, denominator: 1001 }, durationSeconds: 90 })

void t.test('a segment keeps the packets that begin between its boundaries; a few more are encoded', (t) => {
  t.strictSame(audioWindow(film, { first: 7, last: 7 }), {
    encodeFrom: 2_004_992,
    encodeUntil: 2_311_168,
    keepFrom: 2_014_012,
    keepBefore: 2_302_300,
  })
  t.end()
})

void t.test('every packet belongs to exactly one segment, at every frame rate', (t) => {
  for (const rate of [
    [24_000, 1001],
    [24, 1],
    [25, 1],
    [30_000, 1001],
    [50, 1],
    [60_000, 1001],
    [18, 1],
    [1, 1],
  ] as const) {
    const grid = makeFrameGrid({ frameRate: { numerator: rate[0], denominator: rate[1] }, durationSeconds: 61.3 })
    const last = segmentCount(grid) - 1
    let next: number | undefined
    for (let index = 0; index <= last; index += 1) {
      const window = audioWindow(grid, { first: index, last: index })
      if (next !== undefined)
        t.equal(window.keepFrom, next, `${rate.join('/')}: segment ${index} begins where the previous one ended`)
      t.equal(window.encodeFrom % SAMPLES_PER_PACKET, 0, 'encoders begin on the grid')
      t.equal(window.encodeUntil % SAMPLES_PER_PACKET, 0, 'and end on it')
      t.ok(window.keepFrom - window.encodeFrom >= 4 * SAMPLES_PER_PACKET, 'there is room to warm up')
      if (window.keepBefore !== null)
        t.ok(window.encodeUntil - window.keepBefore >= 2 * SAMPLES_PER_PACKET, 'and to run out')
      next = window.keepBefore ?? undefined
    }
    t.equal(next, undefined, 'the last segment keeps all')
  }
  t.end()
})

void t.test('a file that continues another one has no audio from before its video, and all audio after that', (t) => {
  const [alone, continued] = [
    audioWindow(film, { first: 0, last: 2 }),
    audioWindow(film, { first: 0, last: 2, isContinued: true }),
  ]
  t.ok(alone.keepFrom < 0)
  t.equal(continued.keepFrom, 0)
  t.equal(continued.keepBefore, alone.keepBefore)
  const range = { first: 1, last: 2 }
  t.strictSame(audioWindow(film, { ...range, isContinued: true }), audioWindow(film, range))
  t.end()
})

void t.test('the audio of the last segment is at least as long as its video', (t) => {
  const last = segmentCount(film) - 1
  const { encodeUntil } = audioWindow(film, { first: last, last })
  t.ok(encodeUntil >= (film.frameCount * 1001 * 48_000) / 24_000)
  t.end()
})
