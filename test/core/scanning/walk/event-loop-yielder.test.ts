import t from 'tap'
import { createEventLoopYielder } from '../../../../src/core/scanning/walk/event-loop-yielder.ts'

void t.test('blocking work yields the event loop after twenty milliseconds, and not before', async (t) => {
  let now = 0
  const yieldEventLoop = createEventLoopYielder({
    clock: { monotonicMilliseconds: () => now },
    throttle: { yieldToRequests: () => {} },
  })
  let turns = 0
  const count = (): void => void (turns += 1)
  setImmediate(count)
  for (let piece = 0; piece < 1000; piece += 1) await yieldEventLoop()
  t.equal(turns, 0)
  now = 20
  await yieldEventLoop()
  t.equal(turns, 1)
  setImmediate(count)
  for (let piece = 0; piece < 1000; piece += 1) await yieldEventLoop()
  t.equal(turns, 1)
})
