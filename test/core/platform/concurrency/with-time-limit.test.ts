import t from 'tap'
import { withTimeLimit } from '../../../../src/core/platform/concurrency/index.ts'

const never = new Promise<never>(() => {})
const limited = { milliseconds: 3_600_000, onTimeout: () => t.fail('the work ended in time') }

/** The timers that keep this process alive. */
const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

void t.test('work that ends in time is passed on, and no timer remains', async (t) => {
  const before = timers()
  t.equal(await withTimeLimit<unknown>(Promise.resolve(1), limited), 1)
  await t.rejects(withTimeLimit<unknown>(Promise.reject(new Error('broken')), limited), { message: 'broken' })
  t.equal(timers(), before)
})

void t.test('after the time limit the result is that of onTimeout, or its error', async (t) => {
  t.equal(await withTimeLimit<string>(never, { milliseconds: 1, onTimeout: () => 'late' }), 'late')
  const fail = (): never => {
    throw new Error('too long')
  }
  await t.rejects(withTimeLimit(never, { milliseconds: 1, onTimeout: fail }), { message: 'too long' })
})

void t.test('work that fails after the time limit causes no unhandled rejection', async (t) => {
  const { promise, reject } = Promise.withResolvers<string>()
  t.equal(await withTimeLimit(promise, { milliseconds: 1, onTimeout: () => 'late' }), 'late')
  reject(new Error('later'))
  await t.rejects(promise, { message: 'later' })
})
