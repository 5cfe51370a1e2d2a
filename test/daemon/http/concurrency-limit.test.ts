import t from 'tap'
import { createLongListLimit, createRequestLimit } from '../../../src/daemon/http/concurrency-limit.ts'

const stays = new AbortController().signal

/** Acquires a slot and records when it is granted. */
function take(turns: ReturnType<typeof createRequestLimit>, caller: string, signal = stays) {
  const taken = { has: false, giveBack: () => {}, promise: Promise.resolve() }
  taken.promise = turns.acquire(caller, signal).then((giveBack) => {
    Object.assign(taken, { has: true, giveBack })
  })
  return taken
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

void t.test('four requests of a caller run, others wait in their order, and other callers do not', async (t) => {
  const turns = createRequestLimit()
  const all = Array.from({ length: 6 }, () => take(turns, 'ann'))
  const other = take(turns, 'bob')
  await settled()
  t.strictSame(
    all.map(({ has }) => has),
    [true, true, true, true, false, false],
  )
  t.equal(other.has, true)
  all[3]?.giveBack()
  await settled()
  t.strictSame([all[4]?.has, all[5]?.has], [true, false])
  all[0]?.giveBack()
  await settled()
  t.equal(all[5]?.has, true)
})

void t.test('a caller that disconnects while waiting is skipped', async (t) => {
  const turns = createRequestLimit()
  const running = Array.from({ length: 4 }, () => take(turns, 'ann'))
  const leaver = new AbortController()
  const left = take(turns, 'ann', leaver.signal)
  const next = take(turns, 'ann')
  await settled()
  leaver.abort()
  await t.rejects(left.promise, { code: 'too_many_at_once' })
  running[0]?.giveBack()
  await settled()
  t.equal(next.has, true)
})

void t.test('when more than 500 wait, another one is refused (RL-11)', async (t) => {
  const turns = createRequestLimit()
  const leaver = new AbortController()
  const all = Array.from({ length: 504 }, () => take(turns, 'ann', leaver.signal))
  await t.rejects(turns.acquire('ann', stays), { code: 'too_many_at_once', kind: 'limited' })
  t.equal(typeof (await turns.acquire('bob', stays)), 'function')
  leaver.abort()
  const outcomes = await Promise.allSettled(all.map(({ promise }) => promise))
  t.equal(outcomes.filter(({ status }) => status === 'rejected').length, 500)
})

void t.test('two long lists of a caller are made at the same time', async (t) => {
  const lists = createLongListLimit()
  const all = Array.from({ length: 3 }, () => take(lists, 'ann'))
  await settled()
  t.strictSame(
    all.map(({ has }) => has),
    [true, true, false],
  )
  all[0]?.giveBack()
  await settled()
  t.equal(all[2]?.has, true)
})
