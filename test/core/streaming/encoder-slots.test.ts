import t from 'tap'
import { EncoderSlots } from '../../../src/core/streaming/encoder-slots.ts'

const never = new AbortController().signal

void t.test('no more than the limit are held at once, and the others follow in their order', async (t) => {
  const slots = new EncoderSlots(2)
  const entered: number[] = []
  const taken = Array.from({ length: 5 }, async (_, index) => {
    const giveBack = await slots.take(never)
    entered.push(index)
    return giveBack
  })
  await settle()
  t.strictSame(entered, [0, 1])
  t.ok(slots.isFull)
  const second = await taken[1]
  second?.()
  await settle()
  t.strictSame(entered, [0, 1, 2])
  second?.()
  await settle()
  t.strictSame(entered, [0, 1, 2], 'giving back twice counts once')
  for (const one of [0, 2, 3, 4]) (await taken[one])?.()
  await settle()
  t.strictSame(entered, [0, 1, 2, 3, 4])
  t.notOk(slots.isFull)
})

void t.test('who leaves the queue never gets in, and does not hold up the next', async (t) => {
  const slots = new EncoderSlots(1)
  const giveBack = await slots.take(never)
  const leaver = new AbortController()
  const second = slots.take(leaver.signal)
  const third = slots.take(never)
  leaver.abort(new Error('left'))
  await t.rejects(second, { message: 'left' })
  giveBack()
  t.type(await third, 'function')
  await t.rejects(slots.take(leaver.signal), { message: 'left' }, 'an aborted one is not let in')
})

async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}
