import { createReadStream, createWriteStream, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { sql } from 'slonik'
import t from 'tap'
import { logIn } from '../../../src/core/accounts/index.ts'
import { createBackup, describeBackup, restoreBackup, verifyBackup } from '../../../src/core/backups/index.ts'
import { withArchive } from '../../../src/core/backups/open/with-archive.ts'
import { loadConfig } from '../../../src/core/platform/config/index.ts'
import { latestSchemaVersion, openDatabase } from '../../../src/core/platform/database/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import { systemClock } from '../../../src/core/platform/time/index.ts'
import { cheapPasswordHashing } from '../../support/cheap-password.ts'
import { noSignInProviders } from '../../support/sign-in-providers.ts'
import { dataDirectoryInMemory, reachableDirectory } from '../../support/directories.ts'

const FIXTURES = join(import.meta.dirname, '../../fixtures/releases')

const log = await createLogger(loadConfig({ environment: {} }), { level: 'critical' })

for (const file of readdirSync(FIXTURES).filter((name) => name.endsWith('.tar.gz'))) {
  void t.test(`the data of ${file} are verified, restored, migrated and whole (F-35)`, async (t) => {
    const path = join(reachableDirectory(t), file.replace(/\.gz$/, ''))
    await pipeline(createReadStream(join(FIXTURES, file)), createGunzip(), createWriteStream(path))
    const listed = await describeBackup(path, file)
    t.match(listed, { state: 'valid', phlixVersion: '0.1.0', schemaVersion: 55 })
    const config = loadConfig({ dataDirectory: dataDirectoryInMemory(t), environment: {} })
    const { manifest } = await withArchive({ config, path }, async (archive) => archive)
    t.match(await verifyBackup({ config, log, externalUri: undefined }, { path }), { result: 'ok', differences: [] })

    const restored = await restoreBackup(
      { config, log, clock: systemClock, externalUri: undefined, isServed: async () => false },
      { path, force: false, keepsConfig: false },
    )
    t.equal(restored.schemaVersion, latestSchemaVersion())
    t.match(readFileSync(join(config.dataDirectory, 'config.toml'), 'utf8'), /max_concurrent_transcodes = 3/)
    const database = await openDatabase({ config, log })
    const { pool: db, connectionUri } = database
    try {
      const needs = {
        config,
        db,
        clock: systemClock,
        log,
        passwordHashing: cheapPasswordHashing(),
        signInProviders: noSignInProviders(),
      }
      const login = { usernameOrEmail: 'ann', password: 'correct horse battery', clientAddress: '127.0.0.1' }
      t.match(await logIn(needs, login), { username: 'ann', isAdmin: true })
      const titles = await db.anyFirst(sql.unsafe`select name from media_items order by name`)
      t.strictSame(titles, ['Heat', 'Ran'])
      for (const { name, rows } of manifest.tables.filter((table) => table.name !== 'schema_migrations')) {
        const found = await db.oneFirst(sql.unsafe`select count(*)::int from ${sql.identifier([name])}`)
        t.ok(Number(found) >= rows, `${name} has its ${rows} rows`)
      }
      mkdirSync(join(config.dataDirectory, 'backups'), { recursive: true })
      const again = await createBackup({ config, log, clock: systemClock, connectionUri })
      t.equal(again.schemaVersion, latestSchemaVersion(), 'and can be backed up again')
    } finally {
      await database.close()
    }
  })
}
