import { checkMigrations } from '../../platform/database/index.ts'
import { pluralize, AppError } from '../../platform/errors/index.ts'
import type { Check } from '../doctor-context.ts'
import { error, ok, warning } from '../finding.ts'
import { reinstallCommand } from '../reinstall-command.ts'

export const migrationsCheck: Check = {
  id: 'migrations',
  async run({ database, log, phlix }) {
    if ('reason' in database) return [{ level: 'skipped', message: 'needs the database', fix: null }]
    try {
      const { pending, schemaVersion } = await checkMigrations({ connectionUri: database.connectionUri, log })
      if (pending.length === 0) return ok(`schema ${schemaVersion}`)
      return [warning(`not applied: ${pluralize(pending.length, 'migration')}, from ${pending[0]}`, phlix('migrate'))]
    } catch (reason) {
      if (!(reason instanceof AppError) || reason.kind !== 'misconfigured') throw reason
      return [error(reason.message, reinstallCommand())]
    }
  },
}
