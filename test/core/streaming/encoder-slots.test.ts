import t from 'tap'
import { EncoderSlots } from '../../../src/core/streaming/encoder-slots.ts'

const never = new AbortController().signal

void t.test('no more than the limit run at once, and the others follow in their order', async (t) => {
  const slots = new EncoderSlots(2)
  const started: number[] = []
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>())
  const runs = gates.map((gate, index) =>
    slots.run(async () => {
      started.push(index)
      await gate.promise
    }, never),
  )
  await settle()
  t.strictSame(started, [0, 1])
  t.ok(slots.isFull)
  gates[1]?.resolve()
  await runs[1]
  await settle()
  t.strictSame(started, [0, 1, 2])
  for (const gate of gates) gate.resolve()
  await Promise.all(runs)
  t.strictSame(started, [0, 1, 2, 3, 4])
  t.notOk(slots.isFull)
})

void t.test('a failing one frees its slot', async (t) => {
  const slots = new EncoderSlots(1)
  await t.rejects(
    slots.run(() => Promise.reject(new Error('broken')), never),
    { message: 'broken' },
  )
  t.equal(await slots.run(() => Promise.resolve('next'), never), 'next')
})

void t.test('who leaves the queue never starts, and does not hold up the next', async (t) => {
  const slots = new EncoderSlots(1)
  const gate = Promise.withResolvers<void>()
  const first = slots.run(() => gate.promise, never)
  const leaver = new AbortController()
  const second = slots.run(() => Promise.reject(new Error('it ran')), leaver.signal)
  const third = slots.run(() => Promise.resolve('third'), never)
  leaver.abort(new Error('left'))
  await t.rejects(second, { message: 'left' })
  gate.resolve()
  await first
  t.equal(await third, 'third')
  await t.rejects(
    slots.run(() => Promise.resolve(), leaver.signal),
    { message: 'left' },
    'an aborted one is not let in',
  )
  t.notOk(slots.isFull)
})

async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}
