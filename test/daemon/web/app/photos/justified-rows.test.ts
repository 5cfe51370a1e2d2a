import t from 'tap'
import {
  expectedHeight,
  heightOf,
  justifiedRows,
  shownRatio,
} from '../../../../../src/daemon/web/app/photos/justified-rows.ts'
import { seededRandom } from '../../../../support/seeded-random.ts'

const MEASURES = { width: 1000, rowHeight: 200, gap: 6 }

void t.test('rows fill the width, are at most as high as wanted, and have every photo once', (t) => {
  const random = seededRandom(3)
  const ratios = Array.from({ length: 200 }, () => (random.below(10) === 0 ? null : 0.5 + random.fraction() * 2.5))
  const rows = justifiedRows(ratios, MEASURES)
  for (const [index, { first, end, top, height, widths }] of rows.entries()) {
    const before = rows[index - 1]
    t.equal(first, before?.end ?? 0)
    t.equal(top, before === undefined ? 0 : before.top + before.height + MEASURES.gap)
    const width = widths.reduce((sum, one) => sum + one, 0) + MEASURES.gap * (end - first - 1)
    t.ok(height <= MEASURES.rowHeight && width <= MEASURES.width + 0.001)
    if (index < rows.length - 1) t.ok(Math.abs(width - MEASURES.width) < 0.001, 'it fills the width')
  }
  t.equal(rows.at(-1)?.end, ratios.length)
  t.end()
})

void t.test('a panorama and a photo of unknown size have a usual shape', (t) => {
  t.equal(shownRatio(20), 3.5)
  t.equal(shownRatio(0.01), 0.4)
  t.equal(shownRatio(null), 1.4)
  t.strictSame(justifiedRows([], MEASURES), [])
  t.equal(heightOf([]), 0)
  t.end()
})

void t.test('photos that are not known yet are expected to be about as high', (t) => {
  const real = heightOf(
    justifiedRows(
      Array.from({ length: 400 }, () => 1.5),
      MEASURES,
    ),
  )
  const expected = expectedHeight(400, MEASURES)
  t.ok(Math.abs(expected - real) / real < 0.35)
  t.end()
})
