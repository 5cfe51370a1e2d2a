import { resolve } from 'node:path'
import * as Flags from '@oclif/core/flags'
import type { EngineUpgrade } from '../core/backups/index.ts'
import { BaseCommand } from './_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from './_support/exit-codes.ts'

export default class Migrate extends BaseCommand {
  static override summary = 'Apply pending database migrations.'
  static override description =
    'A database with accounts or libraries is backed up first, unless backups.before_migrations is off. The embedded ' +
    'database of a release with an older PostgreSQL is upgraded first: no server and no command may use it then, and the ' +
    'old files are kept. ' +
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
      summary: 'Apply nothing; the exit code is 4 if migrations, or an upgrade of PostgreSQL, are pending.',
    }),
    'old-programs': Flags.string({
      helpValue: 'DIRECTORY',
      summary: 'Folder with the program postgres of the older version, if this release does not contain it.',
    }),
  }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, EXIT.check, EXIT.io, EXIT.tempfail, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { flags } = await this.parse(Migrate)
    const config = this.readConfig()
    const { findOlderClusterVersion } = await import('../core/platform/database/index.ts')
    const older =
      config.options['database.host'] === undefined ? findOlderClusterVersion(config.dataDirectory) : undefined
    if (flags.check && older !== undefined) return this.reportOlderEngine(older)
    const upgrade = older === undefined ? undefined : await this.upgradeEngine(flags['old-programs'])
    const outcome = await this.withDatabase(async ({ connectionUri }, { log }) => {
      const { checkMigrations } = await import('../core/platform/database/index.ts')
      if (flags.check) return checkMigrations({ connectionUri, log })
      const { migrateWithBackup } = await import('../core/backups/index.ts')
      return migrateWithBackup({ config, connectionUri, log })
    })
    const { schemaVersion, applied, pending } = outcome
    const isBehind = flags.check && pending.length > 0
    return this.finish({
      result: {
        schema_version: schemaVersion,
        applied: flags.check ? [] : applied,
        pending,
        engine: upgrade === undefined ? null : describe(upgrade),
      },
      text: [
        ...(upgrade === undefined ? [] : [textOf(upgrade)]),
        isBehind
          ? `Schema ${schemaVersion}; pending: ${pending.join(', ')}`
          : `Schema ${schemaVersion}; ${applied.length === 0 || flags.check ? 'nothing to do' : `applied ${applied.join(', ')}`}`,
      ].join('\n'),
      exit: isBehind ? EXIT.check : EXIT.ok,
    })
  }

  /** The schema is in files that only a server of the older version can read. */
  private async reportOlderEngine(from: string): Promise<object> {
    const { ENGINE_MAJOR_VERSION: to } = await import('../core/platform/database/index.ts')
    const engine = { from, to, backup: null, previous_folder: null }
    return this.finish({
      result: { schema_version: null, applied: [], pending: [], engine },
      text: `The database belongs to PostgreSQL ${from}; an upgrade to ${to} is pending`,
      exit: EXIT.check,
    })
  }

  private upgradeEngine(folder: string | undefined): Promise<EngineUpgrade | undefined> {
    return this.withConfig(
      async (config, { log, signal }) => {
        const { upgradeStoppedEngine } = await import('../core/backups/index.ts')
        const { systemClock } = await import('../core/platform/time/index.ts')
        // Programs run in another folder than this process.
        const oldPrograms = folder === undefined ? undefined : resolve(folder)
        return upgradeStoppedEngine({ config, log, clock: systemClock }, { oldPrograms, signal })
      },
      { isSelfEnding: true },
    )
  }
}

function describe({ from, to, backupPath, previousFolder }: EngineUpgrade) {
  return { from, to, backup: backupPath, previous_folder: previousFolder }
}

function textOf({ from, to, previousFolder }: EngineUpgrade): string {
  return `PostgreSQL ${from} was upgraded to ${to}; the old files are in ${previousFolder}`
}
