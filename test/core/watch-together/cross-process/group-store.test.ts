import { randomUUID } from 'node:crypto'
import { sql } from 'slonik'
import t from 'tap'
import { createLogger } from '../../../../src/core/platform/logging/index.ts'
import { loadConfig } from '../../../../src/core/platform/config/index.ts'
import { createGroupStore } from '../../../../src/core/watch-together/cross-process/group-store.ts'
import type { WatchGroup } from '../../../../src/core/watch-together/index.ts'
import { makeUser } from '../../../support/catalogue-items.ts'
import { testDatabase } from '../../../support/database.ts'
import { emptyGroup } from '../group/group-setup.ts'

const { pool: db } = await testDatabase(t)
const log = await createLogger(loadConfig({ environment: {} }), { level: 'critical' })
const ownerId = await makeUser(db, 'owner')

function startStore(database = db) {
  const processId = randomUUID()
  const lost: string[] = []
  const onLost = (groupId: string): void => void lost.push(groupId)
  const store = createGroupStore({ db: database, log, serverMilliseconds: () => 0 }, { processId, onLost })
  return { ...store, processId, lost }
}

async function insertNew(
  store: { insert: (group: WatchGroup) => Promise<void> },
  owner = ownerId,
): Promise<WatchGroup> {
  const group = emptyGroup({ id: randomUUID(), ownerId: owner })
  await store.insert(group)
  return group
}

const idsInTable = async () => db.anyFirst(sql.unsafe`select id from watch_groups`)

void t.test('simultaneous requests do not exceed the number of groups of an account', async (t) => {
  const store = startStore()
  const owner = await makeUser(db, 'eager')
  const results = await Promise.allSettled(Array.from({ length: 12 }, () => insertNew(store, owner)))
  t.equal(results.filter(({ status }) => status === 'fulfilled').length, 8)
  t.match(
    results.find(({ status }) => status === 'rejected'),
    { reason: { code: 'too_many_groups' } },
  )
  await db.query(sql.unsafe`update watch_groups set updated_at = now() - interval '3 hours'`)
  t.ok(await insertNew(store, owner), 'rows that no process renews do not count')
  await db.query(sql.unsafe`delete from watch_groups`)
})

void t.test('a renewal keeps the groups of the process, and deletes its other rows', async (t) => {
  const [store, other] = [startStore(), startStore()]
  const [kept, over, foreign, fresh] = [
    await insertNew(store),
    await insertNew(store),
    await insertNew(other),
    await insertNew(other),
  ]
  await db.query(sql.unsafe`update watch_groups set updated_at = now() - interval '1 hour'`)
  const created = await insertNew(store)
  await db.query(sql.unsafe`update watch_groups set updated_at = now() - interval '3 hours' where id = ${fresh.id}`)
  await store.renew([kept.id])
  t.strictSame(new Set(await idsInTable()), new Set([kept.id, foreign.id, created.id]))
  t.notOk((await idsInTable()).includes(over.id))
  await db.query(sql.unsafe`delete from watch_groups`)
})

void t.test('a row that could not be deleted is deleted later, and is no group meanwhile', async (t) => {
  const store = startStore()
  const group = await insertNew(store)
  await db.query(sql.unsafe`alter table watch_groups rename to hidden_groups`)
  store.remove(group)
  await store.settled()
  await db.query(sql.unsafe`alter table hidden_groups rename to watch_groups`)
  t.equal(await store.holderOf(group.id), undefined)
  t.equal(await store.claim(group.id, store.processId), undefined)
  store.retry()
  await store.settled()
  t.strictSame(await idsInTable(), [])
})

void t.test('a state that is saved at any moment of a running save is stored', async (t) => {
  let afterQuery = (): void => undefined
  const query: typeof db.query = async (statement) => {
    const result = await db.query(statement)
    afterQuery()
    return result
  }
  const store = startStore({ ...db, query })
  const group = await insertNew(store)
  for (let ticks = 0; ticks < 16; ticks += 1) {
    const name = `after ${ticks} ticks`
    const saved = new Promise<void>((resolve) => {
      afterQuery = () => {
        afterQuery = () => undefined
        void saveAfter(ticks).then(resolve)
      }
    })
    const saveAfter = async (count: number): Promise<void> => {
      for (let tick = 0; tick < count; tick += 1) await Promise.resolve()
      store.save({ ...group, name })
    }
    store.save(group)
    await saved
    await store.settled()
    t.equal((await store.read(group.id))?.name, name)
  }
  await db.query(sql.unsafe`delete from watch_groups`)
})

void t.test('groups that another process has taken are found', async (t) => {
  const [store, other] = [startStore(), startStore()]
  const [kept, taken] = [await insertNew(store), await insertNew(store)]
  t.ok(await other.claim(taken.id, store.processId))
  t.equal(await other.claim(kept.id, randomUUID()), undefined, 'only from the process that is named')
  t.strictSame(await store.listLost([kept.id, taken.id]), [taken.id])
  store.save(taken)
  await store.settled()
  t.strictSame(store.lost, [taken.id])
  await db.query(sql.unsafe`delete from watch_groups`)
})

void t.test(
  'a group whose process has ended is listed for an hour, and is over after an hour without activity',
  async (t) => {
    const hour = 3_600_000
    const timeline = { ...emptyGroup().timeline, mediaId: 'm', state: 'playing' as const }
    const cases: [claim: string, fields: Partial<WatchGroup>, isOver: boolean][] = [
      ['nobody was there for an hour', { lastActivityAt: -hour }, true],
      ['nobody was there for less', { lastActivityAt: 1000 - hour }, false],
      [
        'its film still plays',
        {
          lastActivityAt: -2 * hour,
          timeline: { ...timeline, atMilliseconds: -2 * hour },
          mediaDurationMilliseconds: 2.5 * hour,
        },
        false,
      ],
      [
        'its film has ended an hour ago',
        {
          lastActivityAt: -3 * hour,
          timeline: { ...timeline, atMilliseconds: -3 * hour },
          mediaDurationMilliseconds: 2 * hour,
        },
        true,
      ],
    ]
    for (const [claim, fields, isOver] of cases) {
      const [store, other] = [startStore(), startStore()]
      const group = { ...(await insertNew(store)), ...fields }
      store.save(group)
      await store.settled()
      t.equal((await other.list()).length, 1)
      t.equal((await other.claim(group.id, store.processId)) === undefined, isOver, claim)
      t.equal((await other.holderOf(group.id)) === undefined, isOver, claim)
      await db.query(sql.unsafe`update watch_groups set updated_at = now() - interval '61 minutes'`)
      t.strictSame(await other.list(), [], 'it is not listed any more')
      await db.query(sql.unsafe`delete from watch_groups`)
    }
  },
)

void t.test('a group of another format is given up when it is taken over', async (t) => {
  const [store, other] = [startStore(), startStore()]
  const group = await insertNew(store)
  await db.query(sql.unsafe`update watch_groups set state = '{"format":1}'`)
  t.equal(await other.claim(group.id, store.processId), undefined)
  t.equal(await other.holderOf(group.id), undefined)
})
