import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { sql } from 'slonik'
import t from 'tap'
import {
  acquireSessionLock,
  isSessionLockHeld,
  type SessionLock,
} from '../../../../src/core/platform/database/index.ts'
import { testDatabase } from '../../../support/database.ts'
import { waitUntil } from '../../../support/wait-until.ts'

const { pool, connectionUri } = await testDatabase(t)
const INDEX_MODULE = join(import.meta.dirname, '../../../../src/core/platform/database/index.ts')

/** The lock, after its last holder's connection has ended; the server needs a moment to notice. */
async function untilFree(key: string): Promise<SessionLock> {
  let lock: SessionLock | undefined
  await waitUntil(`the lock ${key} is free`, async () => {
    lock = await acquireSessionLock({ connectionUri, key })
    return lock !== undefined
  })
  if (lock === undefined) throw new Error('no lock')
  return lock
}

void t.test('an exclusive lock has one holder; after its release another one can take it', async (t) => {
  const first = await acquireSessionLock({ connectionUri, key: 'a' })
  t.ok(first)
  t.equal(await acquireSessionLock({ connectionUri, key: 'a' }), undefined)
  t.equal(await acquireSessionLock({ connectionUri, key: 'a', mode: 'shared' }), undefined)
  const other = await acquireSessionLock({ connectionUri, key: 'b' })
  t.ok(other, 'another key is another lock')
  await first?.release()
  await first?.release()
  const second = await untilFree('a')
  await Promise.all([second.release(), other?.release()])
})

void t.test('a shared lock has many holders and excludes an exclusive one', async (t) => {
  const both = await Promise.all([1, 2].map(() => acquireSessionLock({ connectionUri, key: 'c', mode: 'shared' })))
  t.equal(both.filter(Boolean).length, 2)
  t.equal(await acquireSessionLock({ connectionUri, key: 'c' }), undefined)
  for (const lock of both) await lock?.release()
  await (await untilFree('c')).release()
})

void t.test('the lock of a killed process is released', async (t) => {
  const script = `
    import { acquireSessionLock } from ${JSON.stringify(INDEX_MODULE)}
    await acquireSessionLock({ connectionUri: ${JSON.stringify(connectionUri)}, key: 'd' })
    console.log('held')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise((resolve) => child.stdout.once('data', resolve))
  t.equal(await acquireSessionLock({ connectionUri, key: 'd' }), undefined)
  child.kill('SIGKILL')
  await (await untilFree('d')).release()
})

void t.test('a holder whose connection is lost is notified once, and not after its own release', async (t) => {
  const lock = await acquireSessionLock({ connectionUri, key: 'e' })
  let losses = 0
  const lost = new Promise<void>((resolve) =>
    lock?.onLost(() => {
      losses += 1
      resolve()
    }),
  )
  await pool.query(
    sql.unsafe`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'phlix lock e'`,
  )
  await lost
  await lock?.release()
  const quiet = await acquireSessionLock({ connectionUri, key: 'f' })
  quiet?.onLost(() => {
    losses += 1
  })
  await quiet?.release()
  t.equal(losses, 1)
})

void t.test('whether a lock is held can be seen without taking it', async (t) => {
  t.equal(await isSessionLockHeld({ connectionUri, key: 'g' }), false)
  const shared = await acquireSessionLock({ connectionUri, key: 'g', mode: 'shared' })
  t.strictSame(await Promise.all([1, 2, 3].map(() => isSessionLockHeld({ connectionUri, key: 'g' }))), [
    true,
    true,
    true,
  ])
  t.equal(await isSessionLockHeld({ connectionUri, key: 'h' }), false)
  await shared?.release()
  for (const lock of [await untilFree('g')]) await lock.release()
})

void t.test('a key may be any text', async (t) => {
  for (const key of ["'; drop table users --", 'é\n\u0001', 'x'.repeat(10_000)]) {
    const lock = await acquireSessionLock({ connectionUri, key })
    t.ok(lock)
    await lock?.release()
  }
})
