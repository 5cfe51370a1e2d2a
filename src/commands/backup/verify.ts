import type { Verification } from '../../core/backups/index.ts'
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
import { describeError, pluralize } from '../../core/platform/errors/index.ts'

const EXITS = { ok: EXIT.ok, partial: EXIT.partial, damaged: EXIT.check } as const

export default class BackupVerify extends BaseCommand {
  static override summary = 'Restore a backup into a database that is removed afterwards, and compare every table.'
  static override description =
    'The exit code is 4 if the archive is damaged, and 3 if only its checksums could be compared, because the role may ' +
    'not create databases on the external server. With the embedded engine a separate one is started; a running ' +
    'server is not affected.'
  static override examples = [
    '<%= config.bin %> backup:verify 0f9c2b8e6a0e',
    '<%= config.bin %> backup:verify /mnt/nas/phlix-20261124T182655Z-0f9c2b8e6a0e.tar --json',
  ]
  static override args = { backup: backupArgument }
  static override flags = { folder: folderFlag, 'passphrase-file': passphraseFileFlag }
  static override exitCodes = [
    EXIT.ok,
    EXIT.failure,
    EXIT.usage,
    EXIT.partial,
    EXIT.check,
    EXIT.notFound,
    EXIT.io,
    EXIT.denied,
    ...DATABASE_EXITS,
  ]

  async run(): Promise<object> {
    const { args, flags } = await this.parse(BackupVerify)
    await limitBackupMemory()
    const { path, verification } = await this.withConfig(
      async (config, { log, signal }) => {
        const passphrase = await readPassphrase(config, flags['passphrase-file'])
        const path = await findArchive(config, { backup: args.backup, folder: flags.folder })
        const { recordVerification, verifyBackup } = await import('../../core/backups/index.ts')
        const { systemClock: clock } = await import('../../core/platform/time/index.ts')
        const externalUri = await loadExternalDatabaseUri(config)
        const verification = await verifyBackup({ config, log, externalUri }, { path, passphrase, signal })
        // The result is printed even if the folder cannot be written.
        await recordVerification({ config, clock }, { path, result: verification.result }).catch((error: unknown) =>
          log.warning({ reason: describeError(error) }, 'the result of the verification could not be stored'),
        )
        return { path, verification }
      },
      { isSelfEnding: true },
    )
    const { result, problem, header, tables, rows, differences } = verification
    return this.finish({
      result: {
        path,
        id: header?.id ?? null,
        result,
        problem,
        tables,
        rows,
        differences: differences.map(({ name, expectedRows, foundRows }) => ({
          table: name,
          expected_rows: expectedRows,
          found_rows: foundRows,
        })),
      },
      text: textOf(path, verification),
      exit: EXITS[result],
      isPrintedWhenQuiet: result !== 'ok',
    })
  }
}

function textOf(path: string, { result, problem, tables, rows }: Verification): string {
  return result === 'ok'
    ? `${path}: all checksums match; ${pluralize(tables, 'table')} with ${pluralize(rows, 'row')} were loaded and compared`
    : `${path}: ${problem}`
}
