import { sql } from 'slonik'
import t from 'tap'
import { toDatabaseError, openNotificationLink } from '../../../../src/core/platform/database/index.ts'
import { testDatabase } from '../../../support/database.ts'

const { pool, connectionUri } = await testDatabase(t)

const input = { connectionUri, channel: 'phlix_test', lockKey: 'a link' }
const ignore = { onMessage: () => undefined, onLost: () => undefined }

void t.test('a new connection does not wait for the lock of the lost one, whose backend is still there', async (t) => {
  const ghost = await openNotificationLink(input, ignore)
  const link = await openNotificationLink(input, ignore)
  t.equal(await link.countListeners(), 2)
  await ghost.close()
  t.equal(await link.isLockHeld('a link'), true, 'the lock is that of the new connection')
  t.equal(await link.isLockHeld('another link'), false)
  await link.close()
})

void t.test('messages arrive in order, while the connection is asked', async (t) => {
  const received: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const link = await openNotificationLink(input, {
    ...ignore,
    onMessage(payload) {
      received.push(payload)
      if (payload === 'last') resolve()
    },
  })
  await Promise.all([
    link.notify('phlix_test', 'first'),
    link.isLockHeld('a link'),
    link.notify('phlix_test', 'second'),
    link.notify('phlix_test', 'last'),
  ])
  await promise
  t.strictSame(received, ['first', 'second', 'last'])
  await link.close()
})

void t.test('a lost connection is reported once, and what is asked afterwards is unavailable', async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const link = await openNotificationLink(input, { ...ignore, onLost: resolve })
  await pool.query(
    sql.unsafe`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'phlix phlix_test'`,
  )
  await promise
  await t.rejects(link.notify('phlix_test', 'x'), { code: 'database_unavailable' })
  await t.rejects(link.isLockHeld('a link'), { code: 'database_unavailable' })
  await link.close()
})

void t.test('a statement without an answer in time means that the database is unavailable', (t) => {
  t.match(toDatabaseError(new Error('Query read timeout')), { code: 'database_unavailable' })
  t.end()
})
