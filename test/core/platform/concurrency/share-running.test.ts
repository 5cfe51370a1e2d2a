import t from 'tap'
import { shareRunning } from '../../../../src/core/platform/concurrency/index.ts'

void t.test('concurrent callers of a key share one call, and a later caller starts another', async (t) => {
  const running = new Map<string, Promise<number>>()
  let calls = 0
  const start = async (): Promise<number> => (calls += 1)
  const both = [shareRunning(running, 'a', start), shareRunning(running, 'a', start)]
  t.equal(await shareRunning(running, 'b', start), 2)
  t.strictSame(await Promise.all(both), [1, 1])
  t.equal(running.size, 0)
  t.equal(await shareRunning(running, 'a', start), 3)
})

void t.test('a failure reaches every caller, and is not kept', async (t) => {
  const running = new Map<string, Promise<number>>()
  const fail = (): Promise<number> => Promise.reject(new Error('broken'))
  const both = [shareRunning(running, 'a', fail), shareRunning(running, 'a', fail)]
  for (const one of both) await t.rejects(one, { message: 'broken' })
  t.equal(await shareRunning(running, 'a', async () => 1), 1)
})
