import * as Flags from '@oclif/core/flags'
import { pluralize, AppError } from '../../core/platform/errors/index.ts'
import type { RestoredBackup } from '../../core/backups/index.ts'
import { confirmDeletion } from '../_support/arguments/confirm-deletion.ts'
import {
  backupArgument,
  loadExternalDatabaseUri,
  findArchive,
  folderFlag,
  passphraseFileFlag,
  limitBackupMemory,
  readPassphrase,
} from '../_support/backups.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'

type Attempt = { path: string; restored: RestoredBackup | undefined; problem: string | null }

export default class BackupRestore extends BaseCommand {
  static override summary = 'Replace the database, the configuration and the keys with those of a backup.'
  static override description =
    'The server must be stopped. The backup is checked, loaded into a separate place and verified there, without touching ' +
    'the existing data; then the two are swapped by renaming. The replaced data are kept: in a folder previous-… of the ' +
    'data directory, or as a database of the external server. A backup of an older release is migrated. The exit code is ' +
    '4 if the backup is damaged, 78 if it is of a newer release; nothing is changed then. Existing data are replaced only ' +
    'with --force, and without a terminal only with --yes.'
  static override examples = [
    '<%= config.bin %> backup:restore 0f9c2b8e6a0e --force --yes',
    '<%= config.bin %> backup:restore /mnt/nas/phlix-20261124T182655Z-0f9c2b8e6a0e.tar --data-dir /srv/phlix',
  ]
  static override args = { backup: backupArgument }
  static override flags = {
    folder: folderFlag,
    force: Flags.boolean({ summary: 'Replace an existing database.' }),
    yes: Flags.boolean({ char: 'y', summary: 'Do not ask for confirmation.' }),
    'keep-config': Flags.boolean({ summary: 'Leave config.toml as it is.' }),
    'into-database': Flags.string({
      helpValue: 'NAME',
      summary: 'Restore into this empty database of the external server instead of replacing the current one.',
    }),
    'passphrase-file': passphraseFileFlag,
  }
  static override exitCodes = [
    EXIT.ok,
    EXIT.failure,
    EXIT.usage,
    EXIT.check,
    EXIT.notFound,
    EXIT.io,
    EXIT.tempfail,
    EXIT.denied,
    ...DATABASE_EXITS,
  ]
  static override isIdempotent = false

  async run(): Promise<object> {
    const { args, flags } = await this.parse(BackupRestore)
    await limitBackupMemory()
    const { path, restored, problem } = await this.withConfig(
      async (config, { log, signal }): Promise<Attempt> => {
        const passphrase = await readPassphrase(config, flags['passphrase-file'])
        const path = await findArchive(config, { backup: args.backup, folder: flags.folder })
        const loss = `The data in ${config.dataDirectory} would be replaced by ${path}.`
        const isWanted =
          !flags.force || flags.yes || (await confirmDeletion(loss, { mayAsk: this.shared.mayAsk, signal }))
        if (!isWanted) return { path, restored: undefined, problem: null }
        const { isDamage, restoreBackup } = await import('../../core/backups/index.ts')
        const { isDaemonRunning } = await import('../../core/daemon-lock.ts')
        const { systemClock } = await import('../../core/platform/time/index.ts')
        const externalUri = await loadExternalDatabaseUri(config)
        const isServed = async (): Promise<boolean> =>
          externalUri !== undefined && isDaemonRunning({ connectionUri: externalUri })
        try {
          const restored = await restoreBackup(
            { config, log, clock: systemClock, externalUri, isServed },
            {
              path,
              passphrase,
              signal,
              force: flags.force,
              keepsConfig: flags['keep-config'],
              intoDatabase: flags['into-database'],
            },
          )
          return { path, restored, problem: null }
        } catch (error) {
          if (!(error instanceof AppError) || !isDamage(error)) throw error
          return { path, restored: undefined, problem: error.message }
        }
      },
      { isSelfEnding: true },
    )
    return this.finish({
      result: { path, restored: restored !== undefined, problem, ...describe(restored) },
      text: restored === undefined ? `Nothing was changed${problem === null ? '' : `: ${problem}`}` : textOf(restored),
      exit: restored !== undefined ? EXIT.ok : problem === null ? EXIT.failure : EXIT.check,
      isPrintedWhenQuiet: restored === undefined,
    })
  }
}

function describe(restored: RestoredBackup | undefined) {
  return {
    id: restored?.header.id ?? null,
    tables: restored?.tables ?? 0,
    rows: restored?.rows ?? 0,
    schema_version: restored?.schemaVersion ?? null,
    previous_folder: restored?.previousFolder ?? null,
    previous_database: restored?.previousDatabase ?? null,
  }
}

function textOf({ header, tables, rows, previousFolder, previousDatabase }: RestoredBackup): string {
  const lines = [
    `Restored ${pluralize(tables, 'table')} with ${pluralize(rows, 'row')} from the backup of ${header.created_at}`,
  ]
  if (previousFolder !== null)
    lines.push(`The replaced data are in ${previousFolder}; delete the folder to free the space`)
  if (previousDatabase !== null) lines.push(`The replaced database is now called ${previousDatabase}`)
  return lines.join('\n')
}
