import { checkMigrations } from '../../platform/database/index.ts'
import { pluralize, AppError } from '../../platform/errors/index.ts'
import type { DoctorCheck } from '../doctor-context.ts'
import { errorResult, okResult, warningResult } from '../finding.ts'
import { reinstallCommand } from '../reinstall-command.ts'

export const migrationsCheck: DoctorCheck = {
  id: 'migrations',
  async run({ database, log, phlix }) {
    if ('reason' in database) return [{ level: 'skipped', message: 'needs the database', fix: null }]
    try {
      const { pending, schemaVersion } = await checkMigrations({ connectionUri: database.connectionUri, log })
      if (pending.length === 0) return okResult(`schema ${schemaVersion}`)
      return [
        warningResult(`not applied: ${pluralize(pending.length, 'migration')}, from ${pending[0]}`, phlix('migrate')),
      ]
    } catch (reason) {
      if (!(reason instanceof AppError) || reason.kind !== 'misconfigured') throw reason
      return [errorResult(reason.message, reinstallCommand())]
    }
  },
}
