import { sql } from 'slonik'
import t from 'tap'
import { loadConfig } from '../../../../src/core/platform/config/index.ts'
import { openDatabase, type Connection } from '../../../../src/core/platform/database/index.ts'
import { createLogger } from '../../../../src/core/platform/logging/index.ts'
import { testDatabase } from '../../../support/database.ts'
import { holdLocks } from '../../../support/row-locks.ts'

const { connectionUri, environment } = await testDatabase(t)
const log = await createLogger(loadConfig({ environment: {} }), { level: 'emergency' })
const database = await openDatabase({ config: loadConfig({ environment }), log, statementTimeoutSeconds: 300 })
t.teardown(() => database.close())
const { pool } = database
await pool.query(sql.unsafe`create table tallies (id int primary key, count int not null default 0)`)
await pool.query(sql.unsafe`insert into tallies (id) values (1), (2), (3)`)

const LOCK = 'select from tallies where id = $1 for update'

const count = (connection: Connection) =>
  connection.query(sql.unsafe`
    update tallies set count = count + 1
    where id = any (array(select id from tallies order by id for update))`)

for (const [claim, work] of [
  ['a statement outside of a transaction', () => count(pool)],
  ['a transaction', () => pool.transaction((connection) => count(connection))],
] as const) {
  void t.test(`${claim} that is rolled back to end a deadlock is repeated, and done once`, async (t) => {
    await pool.query(sql.unsafe`update tallies set count = 0`)
    const [gate, other] = [await holdLocks(t, connectionUri), await holdLocks(t, connectionUri)]
    await gate.query(LOCK, [2])
    await other.query(LOCK, [3])
    const working = work()
    working.catch(() => {})
    await gate.waiting(1)
    const blocked = other.query(LOCK, [1])
    await gate.waiting(2)
    // The statement locks the first row, for which the other connection waits, and then needs the third: a deadlock.
    await gate.commit()
    await blocked
    await other.commit()
    t.equal((await working).rowCount, 3)
    t.strictSame(await pool.anyFirst(sql.unsafe`select count from tallies order by id`), [1, 1, 1])
  })
}
