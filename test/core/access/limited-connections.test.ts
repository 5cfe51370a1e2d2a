import { sql } from 'slonik'
import t from 'tap'
import { createLimitedConnections, EVERYTHING, checkAndStoreRule } from '../../../src/core/access/index.ts'
import { testServices } from '../../support/services.ts'

const services = await testServices(t, { environment: { DB_POOL_SIZE: '4' } })
const { db } = services
const connections = createLimitedConnections(services)
t.teardown(() => connections.close())
const ages = Array.from({ length: 12 }, (_value, age) => age)
const policies = await Promise.all(
  ages.map(async (maxAge) => {
    const policy = await checkAndStoreRule(db, { ...EVERYTHING, maxAge })
    if (policy === undefined) throw new Error('no policy')
    return policy
  }),
)
/** The connections that have views of their own. */
const countViews = async (): Promise<number> =>
  Number(
    await db.oneFirst(sql.unsafe`select count(*)::int from pg_class where relname = 'media_items' and relkind = 'v'`),
  )
const ownPolicy = sql.unsafe`select pg_get_viewdef(to_regclass('pg_temp.media_items'))::text`

void t.test(
  'twelve policies in turn have no more connections than one pool, and each sees its own views',
  async (t) => {
    const databases = policies.map((policy) => connections.databaseOf(policy))
    const [first] = databases
    for (let round = 0; round < 3; round += 1) {
      for (const [age, database] of databases.entries()) {
        t.match(await database.oneFirst(ownPolicy), `access_age <= ${age})`, `age ${age}`)
        t.ok((await countViews()) <= 4, 'a connection that gives way has ended before another one begins')
      }
    }
    const together = await Promise.all(
      ages.flatMap((age) => [0, 1, 2].map(async () => [age, await databases[age]?.oneFirst(ownPolicy)] as const)),
    )
    for (const [age, text] of together) t.match(text, `access_age <= ${age})`)
    t.ok((await countViews()) <= 4, 'nor at the same time')
    t.match(await first?.oneFirst(ownPolicy), 'access_age <= 0)', 'a database that was displaced can still be used')
  },
)

void t.test('checks of many policies leave the connections of requests alone', async (t) => {
  const [child, ...others] = policies
  if (child === undefined) throw new Error('no policy')
  const database = connections.databaseOf(child)
  const pid = sql.unsafe`select pg_backend_pid()`
  const before = await database.oneFirst(pid)
  for (const policy of others) await connections.databaseForChecks(policy).oneFirst(pid)
  t.equal(await database.oneFirst(pid), before)
})

void t.test('a transaction keeps its connection while others wait, and a failure frees it', async (t) => {
  const [one, two] = policies.map((policy) => connections.databaseOf(policy))
  await t.rejects(async () => one?.query(sql.unsafe`select 1 / 0`))
  const pid = sql.unsafe`select pg_backend_pid()`
  const [seen] = await Promise.all([
    one?.transaction(async (connection) => [await connection.oneFirst(pid), await connection.oneFirst(pid)]),
    ...ages.map(async () => two?.query(sql.unsafe`select 1`)),
  ])
  t.equal(seen?.[0], seen?.[1])
})

void t.test('closed connections run nothing', async (t) => {
  const own = createLimitedConnections(services)
  const [policy] = policies
  if (policy === undefined) throw new Error('no policy')
  const database = own.databaseOf(policy)
  await database.query(sql.unsafe`select 1`)
  await Promise.all([own.close(), own.close()])
  await t.rejects(database.query(sql.unsafe`select 1`), /closed/)
})
