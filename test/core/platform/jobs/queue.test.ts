import { randomUUID } from 'node:crypto'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../../src/core/platform/config/index.ts'
import { createJobQueue, type JobQueue } from '../../../../src/core/platform/jobs/index.ts'
import { createLogger } from '../../../../src/core/platform/logging/index.ts'
import { testDatabase } from '../../../support/database.ts'
import { waitUntil } from '../../../support/wait-until.ts'

const log = await createLogger(loadConfig({ environment: {} }), { level: 'emergency' })

async function setup(t: Test) {
  const { pool: db, connectionUri } = await testDatabase(t)
  const openQueue = (backstopSeconds = 30): JobQueue => {
    const queue = createJobQueue({ connectionUri, log, backstopSeconds })
    t.teardown(() => queue.close())
    return queue
  }
  return { db, openQueue }
}

/** Collects ids until the given number is reached. */
function collector(count: number) {
  const ids: string[] = []
  const done = Promise.withResolvers<void>()
  const take = async ({ id }: { id: string }): Promise<void> => {
    ids.push(id)
    if (ids.length >= count) done.resolve()
  }
  return { ids, take, done: done.promise }
}

void t.test('an enqueued id is handled by any process (F-33)', async (t) => {
  const { openQueue } = await setup(t)
  const { ids, take, done } = collector(20)
  const wanted = Array.from({ length: 20 }, () => randomUUID())
  const [asking, first, second] = [openQueue(), openQueue(), openQueue()]
  await first.work('library.scan', take)
  await second.work('library.scan', take)
  for (const id of wanted) await asking.enqueue('library.scan', { id })
  await done
  t.strictSame(ids.toSorted(), wanted.toSorted(), 'each id once')
})

void t.test('a repeated registration starts no more workers than the first one', async (t) => {
  const { openQueue } = await setup(t)
  const queue = openQueue()
  const both = Promise.withResolvers<void>()
  let [running, most] = [0, 0]
  const { take, done } = collector(8)
  const handle = async (payload: { id: string }): Promise<void> => {
    running += 1
    most = Math.max(most, running)
    if (running === 2) both.resolve()
    await both.promise
    await take(payload)
    running -= 1
  }
  for (let count = 0; count < 4; count += 1) await queue.work('library.scan', handle)
  for (let count = 0; count < 8; count += 1) await queue.enqueue('library.scan', { id: randomUUID() })
  await done
  t.equal(most, 2)
})

void t.test('an id that is already waiting is not enqueued twice', async (t) => {
  const { db, openQueue } = await setup(t)
  const queue = openQueue()
  const id = randomUUID()
  await Promise.all(Array.from({ length: 10 }, () => queue.enqueue('library.scan', { id })))
  t.equal(await db.oneFirst(sql.unsafe`select count(*) from pgboss.job where data->>'id' = ${id}`), 1)
})

void t.test(
  'an active entry of a killed worker does not prevent its id from being enqueued again (F-33)',
  async (t) => {
    const { db, openQueue } = await setup(t)
    const queue = openQueue()
    const id = randomUUID()
    await queue.enqueue('library.scan', { id })
    await db.query(sql.unsafe`update pgboss.job set state = 'active', started_on = now() where data->>'id' = ${id}`)
    await queue.enqueue('library.scan', { id })
    const { take, done } = collector(1)
    await queue.work('library.scan', take)
    await done
    t.pass('the id was taken')
  },
)

void t.test('a handler that fails does not stop the next id', async (t) => {
  const { openQueue } = await setup(t)
  const queue = openQueue()
  const { take, done } = collector(1)
  let isFirst = true
  await queue.work('library.scan', async (payload) => {
    if (!isFirst) return take(payload)
    isFirst = false
    throw new Error('out of luck')
  })
  await queue.enqueue('library.scan', { id: randomUUID() })
  await queue.enqueue('library.scan', { id: randomUUID() })
  await done
  t.pass('the second id was worked on')
})

void t.test('ids that were enqueued while all workers were busy are handled as soon as a worker is free', async (t) => {
  const { openQueue } = await setup(t)
  const queue = openQueue(3600)
  const wanted = Array.from({ length: 12 }, () => randomUUID())
  const allWait = Promise.withResolvers<void>()
  const taken: string[] = []
  await queue.work('library.scan', async ({ id }) => {
    await allWait.promise
    taken.push(id)
  })
  for (const id of wanted) await queue.enqueue('library.scan', { id })
  allWait.resolve()
  await waitUntil('all ids are taken', () => taken.length === wanted.length)
  t.strictSame(taken.toSorted(), wanted.toSorted(), 'each id once')
})

void t.test('nothing is opened before the first use, and closing waits for a running handler', async (t) => {
  const { db, openQueue } = await setup(t)
  const unused = openQueue()
  await unused.close()
  t.equal(await db.oneFirst(sql.unsafe`select count(*) from pg_namespace where nspname = 'pgboss'`), 0)
  const queue = openQueue()
  const [started, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const order: string[] = []
  await queue.work('library.scan', async () => {
    started.resolve()
    await mayEnd.promise
    order.push('the handler ended')
  })
  await queue.enqueue('library.scan', { id: randomUUID() })
  await started.promise
  const closed = Promise.all([queue.close(), queue.close()]).then(() => order.push('the queue is closed'))
  // A round trip to the database: if closing did not wait, it would return before this.
  await db.query(sql.unsafe`select`)
  mayEnd.resolve()
  await closed
  t.strictSame(order, ['the handler ended', 'the queue is closed'])
  await t.resolves(queue.enqueue('library.scan', { id: randomUUID() }), 'a closed queue ignores new ids')
  const open = sql.unsafe`select count(*) from pg_stat_activity where application_name = 'phlix jobs' and datname = current_database()`
  // PostgreSQL lists the process of a closed connection until that process has ended.
  await waitUntil('no connection is left', async () => (await db.oneFirst(open)) === 0)
})
