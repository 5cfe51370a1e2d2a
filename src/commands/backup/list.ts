import * as Flags from '@oclif/core/flags'
import { backupView } from '../../core/views/index.ts'
import { BACKUP_COLUMNS, folderFlag } from '../_support/backups.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { EXIT } from '../_support/exit-codes.ts'
import { renderTable } from '../_support/output/table.ts'

export default class BackupList extends BaseCommand {
  static override summary = 'List the backups, newest first, with their state.'
  static override description =
    'Every byte of each archive is compared with its checksums. damaged: the archive was changed, is incomplete or is ' +
    'no backup of Phlix. newer: it was made by a newer release. unchecked: it is encrypted, and the file with its ' +
    'checksum is missing. No database is needed.'
  static override examples = ['<%= config.bin %> backup:list', '<%= config.bin %> backup:list --json']
  static override flags = {
    folder: folderFlag,
    plain: Flags.boolean({ summary: 'Tab-separated, without a header.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.io, EXIT.denied, EXIT.config]

  async run(): Promise<object> {
    const { flags } = await this.parse(BackupList)
    const backups = await this.withConfig(async (config, { signal }) => {
      const { listBackups } = await import('../../core/backups/index.ts')
      return listBackups({ config, folder: flags.folder, signal })
    })
    return this.finish({
      result: { backups: backups.map(backupView) },
      text:
        backups.length === 0 && !flags.plain
          ? 'No backup yet: phlix backup:create'
          : renderTable(BACKUP_COLUMNS, backups, { plain: flags.plain, output: this.output }),
    })
  }
}
