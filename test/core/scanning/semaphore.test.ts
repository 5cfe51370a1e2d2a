import t from 'tap'
import { createSemaphore } from '../../../src/core/scanning/semaphore.ts'

void t.test(
  'no more are inside than there are places, and those outside come in the order of their arrival',
  async (t) => {
    const turnstile = createSemaphore(2)
    const begun: number[] = []
    const ends: (() => void)[] = []
    let inside = 0
    let most = 0
    const all = [0, 1, 2, 3, 4].map((index) =>
      turnstile.pass(async () => {
        begun.push(index)
        inside += 1
        most = Math.max(most, inside)
        await new Promise<void>((resolve) => ends.push(resolve))
        inside -= 1
        return index
      }),
    )
    for (let index = 0; index < 5; index += 1) {
      await new Promise((resolve) => setImmediate(resolve))
      ends.shift()?.()
    }
    t.strictSame(await Promise.all(all), [0, 1, 2, 3, 4])
    t.strictSame(begun, [0, 1, 2, 3, 4])
    t.equal(most, 2)
  },
)

void t.test('who fails leaves the place free', async (t) => {
  const turnstile = createSemaphore(1)
  await t.rejects(
    turnstile.pass(() => Promise.reject(new Error('inside'))),
    { message: 'inside' },
  )
  t.equal(await turnstile.pass(async () => 'next'), 'next')
})
