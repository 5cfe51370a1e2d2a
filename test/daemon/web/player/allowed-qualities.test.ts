import t from 'tap'

type Facts = { quality_ladder: { bitrate: number }[] | null; max_kbps: number | null; file_kbps: number }
type Qualities = { allowedRungs: (facts: Facts) => { bitrate: number }[]; isFileAllowed: (facts: Facts) => boolean }

// The pages of the browser are JavaScript without type declarations.
const path = new URL('../../../../src/daemon/web/player/allowed-qualities.js', import.meta.url).href
const { allowedRungs, isFileAllowed } = (await import(path)) as Qualities

const facts = (maxKbps: number | null, fileKbps = 4000): Facts => ({
  quality_ladder: [4_000_000, 2_000_000, 500_000].map((bitrate) => ({ bitrate })),
  max_kbps: maxKbps,
  file_kbps: fileKbps,
})

void t.test('qualities above the limit are left out, and the lowest one never', async (t) => {
  const offered = (maxKbps: number | null) => allowedRungs(facts(maxKbps)).map(({ bitrate }) => bitrate)
  t.strictSame(offered(null), [4_000_000, 2_000_000, 500_000])
  t.strictSame(offered(2000), [2_000_000, 500_000])
  t.strictSame(offered(1999), [500_000])
  t.strictSame(offered(100), [500_000])
  t.strictSame(allowedRungs({ ...facts(100), quality_ladder: null }), [])
})

void t.test('the file itself is offered within the limit, and if its bit rate is unknown', async (t) => {
  t.ok(isFileAllowed(facts(null)))
  t.ok(isFileAllowed(facts(4000)))
  t.notOk(isFileAllowed(facts(3999)))
  t.ok(isFileAllowed(facts(100, 0)))
})
