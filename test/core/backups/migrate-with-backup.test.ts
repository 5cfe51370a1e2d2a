import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'slonik'
import t from 'tap'
import {
  createBackup,
  listBackups,
  migrateWithBackup,
  restoreBackup,
  verifyBackup,
} from '../../../src/core/backups/index.ts'
import { loadConfig } from '../../../src/core/platform/config/index.ts'
import { latestSchemaVersion, migrate, openDatabase } from '../../../src/core/platform/database/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import { systemClock } from '../../../src/core/platform/time/index.ts'
import { makeUser } from '../../support/catalogue-items.ts'
import { testDatabase } from '../../support/database.ts'
import { dataDirectoryInMemory, reachableDirectory } from '../../support/directories.ts'

const MIGRATIONS = join(import.meta.dirname, '..', '..', '..', 'migrations')
const log = await createLogger(loadConfig({ environment: {} }), { level: 'critical' })

// The next release: one more migration.
const next = reachableDirectory(t)
cpSync(MIGRATIONS, next, { recursive: true })
const version = latestSchemaVersion() + 1
writeFileSync(
  join(next, `${String(version).padStart(4, '0')}_next.sql`),
  'create table next_release (id integer primary key);',
)

async function oldDatabase(flags: Record<string, string> = {}) {
  const { environment, connectionUri, pool } = await testDatabase(t)
  const config = loadConfig({ dataDirectory: reachableDirectory(t), environment, flags })
  return { config, connectionUri, pool, log }
}

void t.test('a database with an account is backed up before its schema changes (F-34)', async (t) => {
  const needs = await oldDatabase()
  await makeUser(needs.pool, 'ada')
  t.match(await migrateWithBackup(needs, next), { applied: [`${String(version).padStart(4, '0')}_next.sql`] })
  const [backup, ...others] = await listBackups(needs)
  t.match(backup, {
    state: 'valid',
    schemaVersion: version - 1,
    label: `before the migration from schema ${version - 1}`,
  })
  t.strictSame(others, [])
  t.match(await migrateWithBackup(needs, next), { applied: [] }, 'nothing is pending')
  t.equal((await listBackups(needs)).length, 1)
})

void t.test('an empty database, and one whose option is off, are migrated without a backup', async (t) => {
  const empty = await oldDatabase()
  t.match(await migrateWithBackup(empty, next), { schemaVersion: version })
  t.strictSame(await listBackups(empty), [])
  const off = await oldDatabase({ 'backups.before_migrations': 'off' })
  await makeUser(off.pool, 'ada')
  t.match(await migrateWithBackup(off, next), { schemaVersion: version })
  t.strictSame(await listBackups(off), [])
})

void t.test('if the backup fails, the schema stays as it is', async (t) => {
  const needs = await oldDatabase({ 'hls.min_disk_space_bytes': String(Number.MAX_SAFE_INTEGER) })
  await makeUser(needs.pool, 'ada')
  await t.rejects(migrateWithBackup(needs, next), { code: 'backup_no_space' })
  const rows = await needs.pool.any(sql.unsafe`select max(version) as version from schema_migrations`)
  t.strictSame(rows, [{ version: version - 1 }])
})

void t.test(
  'a backup of an older release is verified at its schema, and restored with the newer one (F-35)',
  async (t) => {
    const dataDirectory = dataDirectoryInMemory(t)
    const config = loadConfig({ dataDirectory, environment: {} })
    const old = await openDatabase({ config, log })
    await migrate({ connectionUri: old.connectionUri, log, throughVersion: 30 })
    await old.pool
      .query(sql.unsafe`insert into users (id, username, email, password_hash, is_admin, created_at, updated_at)
    values (gen_random_uuid(), 'ada', 'ada@example.test', '$argon2id$', true, now(), now())`)
    const backup = await createBackup({ config, log, clock: systemClock, connectionUri: old.connectionUri })
    await old.close()
    t.equal(backup.schemaVersion, 30)
    const target = loadConfig({ dataDirectory: dataDirectoryInMemory(t), environment: {} })
    t.match(await verifyBackup({ config: target, log, externalUri: undefined }, { path: backup.path }), {
      result: 'ok',
    })
    const restored = await restoreBackup(
      { config: target, log, clock: systemClock, externalUri: undefined, isServed: async () => false },
      { path: backup.path, force: false, keepsConfig: false },
    )
    t.equal(restored.schemaVersion, latestSchemaVersion())
    const now = await openDatabase({ config: target, log })
    t.match(await now.pool.any(sql.unsafe`select username, status from users`), [{ username: 'ada', status: 'active' }])
    await now.close()
  },
)
