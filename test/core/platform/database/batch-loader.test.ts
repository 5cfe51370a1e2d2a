import t from 'tap'
import { createBatchLoader } from '../../../../src/core/platform/database/index.ts'
import { AppError } from '../../../../src/core/platform/errors/index.ts'

/** A reader that resolves only on request. */
function heldReader() {
  const rounds: { keys: string[]; answer: () => void; fail: (error?: Error) => void }[] = []
  const read = createBatchLoader<string, string>((keys) => {
    const { promise, resolve, reject } = Promise.withResolvers<Map<string, string>>()
    const answer = (): void => resolve(new Map(keys.filter((key) => key !== 'none').map((key) => [key, `${key}!`])))
    rounds.push({ keys, answer, fail: (error = new Error('away')) => reject(error) })
    return promise
  })
  return { rounds, read }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

void t.test('calls during a running read share the next read, which starts after them', async (t) => {
  const { rounds, read } = heldReader()
  const first = read('a')
  await Promise.resolve()
  t.strictSame(
    rounds.map(({ keys }) => keys),
    [['a']],
    'a single call does not wait',
  )
  const late = ['a', 'b', 'b', 'none'].map((key) => read(key))
  await settled()
  t.equal(rounds.length, 1, 'a running statement may have read older values')
  rounds[0]?.answer()
  t.equal(await first, 'a!')
  await settled()
  t.strictSame(rounds[1]?.keys, ['a', 'b', 'none'])
  const latest = read('c')
  rounds[1]?.answer()
  t.strictSame(await Promise.all(late), ['a!', 'b!', 'b!', undefined])
  await settled()
  t.strictSame(rounds[2]?.keys, ['c'])
  rounds[2]?.answer()
  t.equal(await latest, 'c!')
  const again = read('d')
  await settled()
  t.strictSame(rounds[3]?.keys, ['d'])
  rounds[3]?.answer()
  t.equal(await again, 'd!')
})

void t.test('keys that are requested together are read together', async (t) => {
  const { rounds, read } = heldReader()
  const found = Promise.all(['a', 'b', 'c'].map(read))
  await settled()
  t.strictSame(
    rounds.map(({ keys }) => keys),
    [['a', 'b', 'c']],
  )
  rounds[0]?.answer()
  t.strictSame(await found, ['a!', 'b!', 'c!'])
})

void t.test('a failed read rejects only the calls that shared it', async (t) => {
  const { rounds, read } = heldReader()
  const first = read('a')
  await settled()
  const second = read('b')
  const other = read('c')
  rounds[0]?.fail()
  await t.rejects(first, /away/)
  await settled()
  rounds[1]?.fail()
  await t.rejects(second, /away/)
  await t.rejects(other, /away/)
  const later = read('d')
  await settled()
  rounds[2]?.answer()
  t.equal(await later, 'd!')
})

void t.test('when the database is unavailable, the calls that wait for the next read are rejected too', async (t) => {
  const { rounds, read } = heldReader()
  const first = read('a')
  await settled()
  const waiting = ['b', 'c'].map((key) => read(key))
  const away = new AppError({ kind: 'unavailable', code: 'database_unavailable', title: 'away' })
  rounds[0]?.fail(away)
  for (const asked of [first, ...waiting]) await t.rejects(asked, { code: 'database_unavailable' })
  t.equal(rounds.length, 1, 'they do not wait for another limit')
  const later = read('d')
  await settled()
  t.strictSame(rounds[1]?.keys, ['d'], 'the next one asks again')
  rounds[1]?.answer()
  t.equal(await later, 'd!')
})
