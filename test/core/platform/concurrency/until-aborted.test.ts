import { getEventListeners } from 'node:events'
import t from 'tap'
import { untilAborted } from '../../../../src/core/platform/concurrency/index.ts'

const never = new Promise<never>(() => {})

void t.test('the result or the failure of the work is passed on, and no listener remains', async (t) => {
  const { signal } = new AbortController()
  t.equal(await untilAborted(Promise.resolve(1), signal), 1)
  t.equal(await untilAborted(Promise.resolve(2), undefined), 2)
  await t.rejects(untilAborted(Promise.reject(new Error('broken')), signal), { message: 'broken' })
  t.equal(getEventListeners(signal, 'abort').length, 0)
})

void t.test('an abort ends the wait with the reason of the signal, also one from before', async (t) => {
  const controller = new AbortController()
  const waiting = [1, 2].map(() => untilAborted(never, controller.signal))
  controller.abort(new Error('left'))
  for (const one of waiting) await t.rejects(one, { message: 'left' })
  await t.rejects(untilAborted(never, controller.signal), { message: 'left' })
  t.equal(getEventListeners(controller.signal, 'abort').length, 0)
})

void t.test('work that fails after the abort causes no unhandled rejection', async (t) => {
  const controller = new AbortController()
  const { promise, reject } = Promise.withResolvers<never>()
  const waiting = untilAborted(promise, controller.signal)
  controller.abort(new Error('left'))
  await t.rejects(waiting, { message: 'left' })
  reject(new Error('later'))
  await t.rejects(promise, { message: 'later' })
})
