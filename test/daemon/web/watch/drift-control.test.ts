import t from 'tap'

type Decision = { rate: number; seekAheadMilliseconds?: number }
type DriftControl = {
  decide(drift: number, now: number): Decision
  measureSeek(milliseconds: number): void
  reset(): void
}

// The pages of the browser are JavaScript without type declarations.
const path = new URL('../../../../src/daemon/web/watch/drift-control.js', import.meta.url).href
const { createDriftControl } = (await import(path)) as {
  createDriftControl: (player?: { canChangeRate?: boolean }) => DriftControl
}

void t.test('small differences change nothing, larger ones the speed by 5 % at most', (t) => {
  const drift = createDriftControl()
  for (const [milliseconds, rate] of [
    [15, 1],
    [-15, 1],
    [20, 0.99],
    [-40, 1.02],
    [399, 0.95],
    [-399, 1.05],
    [10, 0.995],
    [5, 1],
    [10, 1],
  ] as const)
    t.strictSame(drift.decide(milliseconds, 0), { rate }, `${milliseconds} ms`)
  t.end()
})

void t.test('a large difference is one seek, ahead by the time that seeks take; then none for 5 s', (t) => {
  const drift = createDriftControl()
  t.strictSame(drift.decide(-700, 0), { rate: 1, seekAheadMilliseconds: 100 })
  drift.measureSeek(200)
  t.strictSame(drift.decide(-700, 4999), { rate: 1.05 })
  t.strictSame(drift.decide(-700, 5000), { rate: 1, seekAheadMilliseconds: 150 })
  t.strictSame(drift.decide(-700, 20_000), { rate: 1.1 }, 'two seeks were of no use: only the speed for 30 s')
  t.match(drift.decide(-700, 35_000), { seekAheadMilliseconds: 150 })
  drift.reset()
  t.match(drift.decide(700, 35_001), { seekAheadMilliseconds: 150 }, 'a jump of the group allows a seek at once')
  t.end()
})

void t.test('a player without a changeable speed seeks above 250 ms', (t) => {
  const drift = createDriftControl({ canChangeRate: false })
  t.strictSame(drift.decide(250, 0), { rate: 1 })
  t.match(drift.decide(251, 0), { seekAheadMilliseconds: 100 })
  t.end()
})
