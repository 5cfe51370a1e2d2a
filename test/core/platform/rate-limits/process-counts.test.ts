import t from 'tap'
import { createProcessCounts } from '../../../../src/core/platform/rate-limits/index.ts'
import { movableClock } from '../../../support/records.ts'

void t.test('hits are counted from the first one on, until its window ends', (t) => {
  const clock = movableClock()
  const counts = createProcessCounts({ clock }, { windowSeconds: 60 })
  t.same(counts.countHit('a'), { hits: 1, millisecondsLeft: 60_000 })
  clock.advance(59.5)
  t.same(counts.countHit('a'), { hits: 2, millisecondsLeft: 500 })
  t.same(counts.countHit('b'), { hits: 1, millisecondsLeft: 60_000 })
  clock.advance(0.5)
  t.same(counts.countHit('a'), { hits: 1, millisecondsLeft: 60_000 })
  t.end()
})

void t.test('a wall clock that is set back changes nothing (RL-09)', (t) => {
  const wall = movableClock()
  const counts = createProcessCounts({ clock: { ...wall, monotonicMilliseconds: () => 7 } }, { windowSeconds: 60 })
  counts.countHit('a')
  wall.advance(-3600)
  t.same(counts.countHit('a'), { hits: 2, millisecondsLeft: 60_000 })
  t.end()
})

void t.test('above the maximum number of keys the oldest window is evicted, expired ones first (RL-04)', (t) => {
  const clock = movableClock()
  const counts = createProcessCounts({ clock }, { windowSeconds: 60, maxKeys: 3 })
  for (const key of ['a', 'b', 'c', 'd', 'c']) counts.countHit(key)
  t.equal(counts.countHit('c').hits, 3, 'newer counts stay')
  t.equal(counts.countHit('a').hits, 1, 'the oldest was evicted')
  clock.advance(61)
  for (const key of ['x', 'y', 'z', 'x']) counts.countHit(key)
  t.equal(counts.countHit('x').hits, 3, 'ended windows made room')
  t.end()
})
