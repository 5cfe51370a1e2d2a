import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { orderedMap, prefetch } from '../../../../src/core/platform/concurrency/index.ts'

async function* count(to: number, onEach: (value: number) => void = () => {}): AsyncGenerator<number> {
  for (let value = 0; value < to; value += 1) {
    onEach(value)
    yield value
  }
}

void t.test('reading ahead keeps the order and goes no further than its limit', async (t) => {
  let produced = 0
  const seen: number[] = []
  for await (const value of prefetch(
    count(100, () => (produced += 1)),
    10,
  )) {
    seen.push(value)
    await turn()
    t.ok(produced <= seen.length + 21, `${produced} produced, ${seen.length} consumed`)
  }
  t.strictSame(
    seen,
    Array.from({ length: 100 }, (_, index) => index),
  )
})

void t.test('an error of the source comes after the items before it', async (t) => {
  async function* failing(): AsyncGenerator<number> {
    yield 1
    yield 2
    throw new Error('source')
  }
  const seen: number[] = []
  await t.rejects(
    async () => {
      for await (const value of prefetch(failing(), 10)) seen.push(value)
    },
    { message: 'source' },
  )
  t.strictSame(seen, [1, 2])
})

void t.test('a consumer that leaves early ends the source', async (t) => {
  let isClosed = false
  async function* endless(): AsyncGenerator<number> {
    try {
      for (let value = 0; ; value += 1) {
        yield value
        await turn()
      }
    } finally {
      isClosed = true
    }
  }
  for await (const value of prefetch(endless(), 3)) if (value === 5) break
  t.ok(isClosed)
})

void t.test('mapping keeps the order of the source, with so many at a time', async (t) => {
  let running = 0
  let most = 0
  const map = async (value: number): Promise<number> => {
    running += 1
    most = Math.max(most, running)
    for (let turns = 0; turns < value % 7; turns += 1) await turn()
    running -= 1
    return value * 2
  }
  const seen: number[] = []
  for await (const value of orderedMap(count(200), { concurrency: 3, map })) seen.push(value)
  t.strictSame(
    seen,
    Array.from({ length: 200 }, (_, index) => index * 2),
  )
  t.equal(most, 3)
})

void t.test('after a failure nothing new is started and nothing is still running', async (t) => {
  let running = 0
  const started: number[] = []
  const map = async (value: number): Promise<number> => {
    started.push(value)
    running += 1
    await turn()
    running -= 1
    if (value === 4) throw new Error('four')
    return value
  }
  await t.rejects(
    async () => {
      for await (const _ of orderedMap(count(1000), { concurrency: 2, map })) t.ok(true)
    },
    { message: 'four' },
  )
  t.equal(running, 0)
  t.ok(started.length < 100)
})
