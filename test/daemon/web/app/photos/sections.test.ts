import t from 'tap'
import {
  HEADING_HEIGHT,
  placeOfPhoto,
  placeSections,
  sectionAt,
  sectionOf,
  sectionsOf,
  timelineHeight,
} from '../../../../../src/daemon/web/app/photos/sections.ts'
import { photoAfterKey } from '../../../../../src/daemon/web/app/photos/timeline-keys.ts'

const MEASURES = { width: 620, rowHeight: 200, gap: 10 }
const SQUARES = Array.from({ length: 7 }, () => 1)

const sections = sectionsOf([
  { month: '2024-05', count: 7 },
  { month: '2024-04', count: 1200 },
  { month: '2023-01', count: 7 },
])

/** Rows of three squares; the long month is not known. */
const placed = placeSections(sections, MEASURES, (number) => (sections[number]?.count === 7 ? SQUARES : undefined))
const timeline = { placed, total: 1214, gap: MEASURES.gap, rowsInView: 2 }

void t.test('a long month has several sections, of which the first has the heading', (t) => {
  t.strictSame(
    sections.map(({ offset, count, firstIndex, hasHeading }) => [offset, count, firstIndex, hasHeading]),
    [
      [0, 7, 0, true],
      [0, 500, 7, true],
      [500, 500, 507, false],
      [1000, 200, 1007, false],
      [0, 7, 1207, true],
    ],
  )
  t.equal(sectionOf(sections, 506), 1)
  t.equal(sectionOf(sections, 507), 2)
  t.end()
})

void t.test('sections follow each other, and a photo is found in its row', (t) => {
  for (const [index, { top }] of placed.entries()) {
    const before = placed[index - 1]
    t.equal(top, before === undefined ? 0 : before.top + before.height + MEASURES.gap)
    t.equal(sectionAt(placed, top), index)
  }
  const [first] = placed
  t.match(first?.rows, { length: 3 })
  t.strictSame(first === undefined ? undefined : placeOfPhoto(first, 4, MEASURES.gap), {
    row: 1,
    left: 210,
    width: 200,
    top: HEADING_HEIGHT + 210,
    height: 200,
  })
  t.equal(placed[1] === undefined ? 0 : placeOfPhoto(placed[1], 8, MEASURES.gap), undefined, 'not known yet')
  t.equal(timelineHeight([]), 0)
  t.end()
})

void t.test('keys lead to the photos beside, above and below, also into another month', (t) => {
  t.equal(photoAfterKey('ArrowRight', 0, timeline), 1)
  t.equal(photoAfterKey('ArrowLeft', 0, timeline), undefined)
  t.equal(photoAfterKey('ArrowDown', 1, timeline), 4)
  t.equal(photoAfterKey('ArrowUp', 4, timeline), 1)
  t.equal(photoAfterKey('ArrowDown', 5, timeline), 6, 'a shorter row has its last photo there')
  t.equal(photoAfterKey('ArrowDown', 6, timeline), 7, 'of a month that is not known the first one')
  t.equal(photoAfterKey('ArrowUp', 1208, timeline), 1206, 'or the last one')
  t.equal(photoAfterKey('ArrowUp', 0, timeline), undefined)
  t.equal(photoAfterKey('PageDown', 0, timeline), 6)
  t.equal(photoAfterKey('PageUp', 6, timeline), 0)
  t.equal(photoAfterKey('Home', 900, timeline), 0)
  t.equal(photoAfterKey('End', 0, timeline), 1213)
  t.equal(photoAfterKey('toString', 0, timeline), undefined)
  t.end()
})
