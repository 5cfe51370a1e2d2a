import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { resolve } from 'node:path'
import { backupView } from '../../core/views/index.ts'
import { describeBytes, withBucket } from '../_support/backups.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { EXIT } from '../_support/exit-codes.ts'

export default class BackupDownload extends BaseCommand {
  static override summary = 'Copy a backup from the bucket of backups.s3 into a folder.'
  static override description =
    'The archive has a temporary name until it is complete and its checksum matches. A file with different ' +
    'content is not replaced. Afterwards backup:restore accepts the id or the path. The exit code is 4 if the ' +
    'backup in the bucket is damaged, 1 if the folder has another file of its name, 66 if the bucket has no such ' +
    'backup, and 74 if the disk has no space for it. No database is needed.'
  static override examples = [
    '<%= config.bin %> backup:download 0f9c2b8e6a0e && <%= config.bin %> backup:restore 0f9c2b8e6a0e --force --yes',
    '<%= config.bin %> backup:download 0f9c2b8e6a0e --to /mnt/nas/phlix --json',
  ]
  static override args = {
    backup: Args.string({
      required: true,
      ignoreStdin: true,
      description: 'Id of the backup, as backup:list --remote shows it.',
    }),
  }
  static override flags = {
    to: Flags.string({
      helpValue: 'DIRECTORY',
      summary: 'Folder for the archive, instead of backups/ in the data directory.',
    }),
  }
  static override exitCodes = [
    EXIT.ok,
    EXIT.failure,
    EXIT.usage,
    EXIT.check,
    EXIT.notFound,
    EXIT.unavailable,
    EXIT.io,
    EXIT.denied,
    EXIT.config,
    EXIT.interrupted,
    EXIT.terminated,
  ]

  async run(): Promise<object> {
    const { args, flags } = await this.parse(BackupDownload)
    const backup = await this.withConfig(
      async (config, { log, signal }) =>
        withBucket(config, log, async (bucket) => {
          const { downloadBackup } = await import('../../core/backups/index.ts')
          const progress = await this.createProgress('Download')
          try {
            return await downloadBackup(bucket, {
              config,
              id: args.backup,
              folder: flags.to === undefined ? undefined : resolve(flags.to),
              signal,
              onPart: ({ bytes, total }) => progress.update({ done: bytes, total, currentPath: null }),
            })
          } finally {
            await progress.end()
          }
        }),
      { isSelfEnding: true },
    )
    return this.finish({
      result: { backup: backupView(backup) },
      text: `Wrote ${backup.path} (${describeBytes(backup.bytes)}, id ${backup.id}, ${backup.state})`,
    })
  }
}
