import t from 'tap'

type SkipMarker = { label: string; start: number; end: number }
type SkipMarkers = {
  parseSkipMarkers: (markers: readonly object[]) => SkipMarker[]
  markerAt: (markers: readonly SkipMarker[], seconds: number) => SkipMarker | undefined
}

// The pages of the browser are JavaScript without type declarations.
const path = new URL('../../../../src/daemon/web/player/skip-markers.js', import.meta.url).href
const { parseSkipMarkers, markerAt } = (await import(path)) as SkipMarkers

const row = (type: string, start: number, end: number) => ({
  type,
  start_seconds: start,
  end_seconds: end,
  title: null,
})

void t.test('markers become ranges with the text of their button, in the order of time', (t) => {
  const markers = [row('outro', 90, 100), row('recap', 0, 8.5), row('intro', 8.5, 30), row('preview', 100, 110)]
  t.strictSame(parseSkipMarkers(markers), [
    { label: 'Skip recap', start: 0, end: 8.5 },
    { label: 'Skip intro', start: 8.5, end: 30 },
    { label: 'Skip credits', start: 90, end: 100 },
    { label: 'Skip preview', start: 100, end: 110 },
  ])
  t.end()
})

void t.test('markers of unknown types, and empty or inverted ranges, are ignored', (t) => {
  const rows = [
    row('chapter', 0, 10),
    row('intro', 5, 5),
    row('intro', 9, 3),
    row('outro', 5, 5.5),
    row('toString', 0, 9),
  ]
  t.strictSame(parseSkipMarkers(rows), [])
  t.strictSame(parseSkipMarkers([]), [])
  t.end()
})

void t.test('a position is in the range that contains it, and its end is outside', (t) => {
  const markers = parseSkipMarkers([row('recap', 0, 30), row('intro', 10, 20)])
  const labels = [0, 9.9, 10, 19.4, 19.6, 20, 29.4, 29.6, 30, 1000].map((at) => markerAt(markers, at)?.label ?? '')
  const [recap, intro] = ['Skip recap', 'Skip intro']
  t.strictSame(labels, [recap, recap, intro, intro, recap, recap, recap, '', '', ''])
  t.equal(markerAt([], 5), undefined)
  t.equal(markerAt(markers, NaN), undefined)
  t.end()
})
