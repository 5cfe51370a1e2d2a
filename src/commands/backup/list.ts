import * as Flags from '@oclif/core/flags'
import { backupView } from '../../core/views/index.ts'
import { BACKUP_COLUMNS, folderFlag, refuseFolder, remoteFlag, withBucket } from '../_support/backups.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { EXIT } from '../_support/exit-codes.ts'
import { renderTable } from '../_support/output/table.ts'

export default class BackupList extends BaseCommand {
  static override summary = 'List the backups, newest first, with their state.'
  static override description =
    'Every byte of each archive is compared with its checksums. damaged: the archive was changed, is incomplete or is ' +
    'no backup of Phlix. newer: it was made by a newer release. unchecked: it is encrypted, and the file with its ' +
    'checksum is missing. With --remote only the sizes are compared. No database is needed.'
  static override examples = ['<%= config.bin %> backup:list', '<%= config.bin %> backup:list --remote --json']
  static override flags = {
    folder: folderFlag,
    remote: remoteFlag,
    plain: Flags.boolean({ summary: 'Tab-separated, without a header.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, EXIT.unavailable, EXIT.io, EXIT.denied, EXIT.config]

  async run(): Promise<object> {
    const { flags } = await this.parse(BackupList)
    refuseFolder(flags)
    const backups = await this.withConfig(async (config, { log, signal }) => {
      const { listBackups, listBucket } = await import('../../core/backups/index.ts')
      if (flags.remote) return withBucket(config, log, (bucket) => listBucket(bucket, signal))
      return listBackups({ config, folder: flags.folder, signal })
    })
    return this.finish({
      result: { backups: backups.map(backupView) },
      text:
        backups.length === 0 && !flags.plain
          ? `No backup yet: phlix backup:create${flags.remote ? ' --upload' : ''}`
          : renderTable(BACKUP_COLUMNS, backups, { plain: flags.plain, output: this.output }),
    })
  }
}
