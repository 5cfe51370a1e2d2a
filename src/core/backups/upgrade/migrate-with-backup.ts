import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../../platform/config/index.ts'
import {
  checkMigrations,
  migrate,
  withDedicatedConnection,
  type MigrationReport,
} from '../../platform/database/index.ts'
import { AppError } from '../../platform/errors/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import { systemClock } from '../../platform/time/index.ts'
import { createBackup } from '../create/create-backup.ts'
import { backupErrors } from '../errors.ts'
import { configuredPassphrase } from '../passphrase.ts'
import { hasContent } from '../queries.ts'

type Dependencies = { config: Config; log: Logger; connectionUri: string }

const RETRY_MILLISECONDS = 250

/**
 * Applies the pending migrations, after a backup of a database that has accounts or libraries. If the backup fails, nothing is migrated.
 * @param directory another folder of SQL files, for tests
 * @throws AppError the errors of `createBackup` and `migrate`, but not `backup_busy`: the end of the other backup is waited for
 */
export async function migrateWithBackup(
  { config, log, connectionUri }: Dependencies,
  directory?: string,
): Promise<MigrationReport> {
  const input = { connectionUri, log, ...(directory === undefined ? {} : { directory }) }
  for (;;) {
    const { pending, schemaVersion } = await checkMigrations(input)
    if (pending.length === 0 || schemaVersion === 0) return migrate(input)
    if (!config.options['backups.before_migrations']) {
      log.notice({ pending }, 'no backup before the migrations: backups.before_migrations is off')
      return migrate(input)
    }
    if (!(await withDedicatedConnection(connectionUri, hasContent))) {
      log.notice({ pending }, 'no backup before the migrations: the database has neither accounts nor libraries')
      return migrate(input)
    }
    try {
      const passphrase = await configuredPassphrase({ config })
      const label = `before the migration from schema ${schemaVersion}`
      const { path, bytes } = await createBackup(
        { config, log, connectionUri, clock: systemClock },
        { label, passphrase },
      )
      log.notice({ path, bytes, pending }, 'made a backup before the migrations')
      return await migrate(input)
    } catch (error) {
      // Another process makes a backup, perhaps for the same migrations.
      if (!(error instanceof AppError) || error.code !== backupErrors.backup_busy.definition.code) throw error
      await pause(RETRY_MILLISECONDS)
    }
  }
}
