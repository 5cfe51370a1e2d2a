import * as Flags from '@oclif/core/flags'
import { BaseCommand } from './_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from './_support/exit-codes.ts'

export default class Migrate extends BaseCommand {
  static override summary = 'Apply pending database migrations.'
  static override description =
    'A database with accounts or libraries is backed up first, unless backups.before_migrations is off. ' +
    'Each migration is one transaction. If two processes migrate, the second waits for the first and then has nothing ' +
    'to do. `serve` applies migrations itself unless PHLIX_RUN_MIGRATIONS is off.'
  static override examples = [
    '<%= config.bin %> migrate',
    '<%= config.bin %> migrate --check || echo "migrations are pending"',
  ]
  static override flags = {
    check: Flags.boolean({
      char: 'n',
      aliases: ['dry-run'],
      summary: 'Apply nothing; the exit code is 4 if migrations are pending.',
    }),
  }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, EXIT.check, EXIT.io, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { flags } = await this.parse(Migrate)
    const outcome = await this.withDatabase(async ({ connectionUri }, { log }) => {
      const { checkMigrations } = await import('../core/platform/database/index.ts')
      if (flags.check) return checkMigrations({ connectionUri, log })
      const { migrateWithBackup } = await import('../core/backups/index.ts')
      return migrateWithBackup({ config: this.readConfig(), connectionUri, log })
    })
    const { schemaVersion, applied, pending } = outcome
    const isBehind = flags.check && pending.length > 0
    return this.finish({
      result: { schema_version: schemaVersion, applied: flags.check ? [] : applied, pending },
      text: isBehind
        ? `Schema ${schemaVersion}; pending: ${pending.join(', ')}`
        : `Schema ${schemaVersion}; ${applied.length === 0 || flags.check ? 'nothing to do' : `applied ${applied.join(', ')}`}`,
      exit: isBehind ? EXIT.check : EXIT.ok,
    })
  }
}
