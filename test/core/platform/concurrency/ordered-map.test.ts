import t from 'tap'
import { orderedMap } from '../../../../src/core/platform/concurrency/index.ts'

async function* numbers(most: number): AsyncGenerator<number> {
  for (let number = 1; number <= most; number += 1) yield number
}

void t.test('results come in the order of the source, however long each takes', async (t) => {
  const begun: number[] = []
  const map = async (number: number): Promise<number> => {
    begun.push(number)
    for (let turn = 0; turn < 10 - number; turn += 1) await Promise.resolve()
    return number * 10
  }
  const results: number[] = []
  for await (const result of orderedMap(numbers(6), { concurrency: 3, map })) results.push(result)
  t.strictSame(results, [10, 20, 30, 40, 50, 60])
  t.strictSame(begun, [1, 2, 3, 4, 5, 6])
})

void t.test('after a failure nothing new is started, also while results before it are waited for', async (t) => {
  const begun: number[] = []
  const first = Promise.withResolvers<number>()
  const second = Promise.withResolvers<number>()
  const map = (number: number): Promise<number> => {
    begun.push(number)
    return number === 1 ? first.promise : number === 2 ? second.promise : Promise.resolve(number)
  }
  const results = orderedMap(numbers(9), { concurrency: 2, map })
  const next = results.next()
  second.reject(new Error('the second fails'))
  // Whatever would be started now is started in these turns.
  await new Promise((resolve) => setImmediate(resolve))
  t.strictSame(begun, [1, 2])
  first.resolve(1)
  t.strictSame(await next, { done: false, value: 1 })
  await t.rejects(results.next(), { message: 'the second fails' })
  t.strictSame(begun, [1, 2])
})
