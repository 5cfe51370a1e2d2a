import t from 'tap'
import {
  indexAfterKey,
  layOut,
  listTopAfter,
  MAX_HEIGHT,
  scrollHeightOf,
  scrollTopFor,
  windowAt,
} from '../../../../../src/daemon/web/app/grid/grid-window.ts'

const DESKTOP = { width: 1184, minCardWidth: 160, gap: 20, textHeight: 76 }
const PHONE = { width: 328, minCardWidth: 130, gap: 12, textHeight: 76 }

void t.test('as many columns as fit, at least two, fill the width', (t) => {
  const { columns, cardWidth, rowHeight, height } = layOut(13, DESKTOP)
  t.equal(columns, 6)
  t.equal(cardWidth * 6 + 20 * 5, 1184)
  t.equal(height, 3 * rowHeight)
  t.equal(rowHeight, Math.round(cardWidth * 1.5) + 76 + 20)
  t.equal(layOut(13, { ...DESKTOP, isSquare: true }).rowHeight, Math.round(cardWidth) + 76 + 20)
  t.equal(layOut(1, { ...PHONE, width: 100 }).columns, 2)
  t.equal(layOut(0, DESKTOP).height, 0)
  t.end()
})

void t.test('the visible rows are drawn, with two before and after, and nothing beyond the list', (t) => {
  const layout = layOut(600, DESKTOP)
  const at = (row: number) =>
    windowAt(layout, 600, { listTop: row * layout.rowHeight, viewHeight: layout.rowHeight * 2 })
  t.strictSame(at(0), { firstIndex: 0, endIndex: 24, top: 0 })
  t.strictSame(at(10), { firstIndex: 48, endIndex: 84, top: 8 * layout.rowHeight })
  t.equal(at(99).endIndex, 600)
  t.equal(at(500).endIndex, 600)
  t.strictSame(windowAt(layOut(0, DESKTOP), 0, { listTop: 0, viewHeight: 800 }), { firstIndex: 0, endIndex: 0, top: 0 })
  t.end()
})

void t.test(
  'a list that is higher than pages may be has a capped scroll space, whose ends are those of the list',
  (t) => {
    const layout = layOut(100_000, PHONE)
    t.ok(layout.height > MAX_HEIGHT)
    t.equal(scrollHeightOf(layout), MAX_HEIGHT)
    t.equal(scrollHeightOf(layOut(100_000, DESKTOP)), layOut(100_000, DESKTOP).height)
    const viewHeight = 740
    const start = { listTop: 0, scrollTop: 0 }
    const after = (scrollTop: number, before = start) => listTopAfter(layout, before, { scrollTop, viewHeight })
    t.equal(after(500), 500, 'small steps move true pixels')
    t.equal(after(MAX_HEIGHT - viewHeight), layout.height - viewHeight)
    t.equal(after(0, { listTop: 9000, scrollTop: 100 }), 0)
    const half = after(MAX_HEIGHT / 2)
    t.ok(Math.abs(half - layout.height / 2) < 1000, 'a jump leads to the same share')
    t.ok(Math.abs(scrollTopFor(layout, half, viewHeight) - MAX_HEIGHT / 2) < 1)
    t.equal(scrollTopFor(layOut(100, DESKTOP), 300, viewHeight), 300)
    t.end()
  },
)

void t.test('keys lead from card to card, and not out of the list', (t) => {
  const grid = { columns: 6, count: 20, rowsInView: 2 }
  const to = (key: string, index: number) => indexAfterKey(key, index, grid)
  t.equal(to('ArrowRight', 5), 6)
  t.equal(to('ArrowLeft', 0), undefined)
  t.equal(to('ArrowDown', 3), 9)
  t.equal(to('ArrowDown', 15), undefined)
  t.equal(to('ArrowUp', 3), undefined)
  t.equal(to('PageDown', 1), 13)
  t.equal(to('PageDown', 14), 19)
  t.equal(to('PageUp', 14), 2)
  t.equal(to('Home', 9), 0)
  t.equal(to('End', 9), 19)
  t.equal(to('Enter', 9), undefined)
  t.end()
})
