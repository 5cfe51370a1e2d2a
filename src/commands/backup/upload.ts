import { basename } from 'node:path'
import { backupArgument, describeBytes, findArchive, folderFlag, withBucket } from '../_support/backups.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { EXIT } from '../_support/exit-codes.ts'

export default class BackupUpload extends BaseCommand {
  static override summary = 'Copy a backup to the bucket of backups.s3.'
  static override description =
    'Every byte of the archive is checked before the upload. The parts are sent with their checksums, and the ' +
    'stored object is compared afterwards. A running server copies its newest backup by itself. Nothing is sent ' +
    'if the bucket already has the backup. The object gets the original name of the archive, even if the file was ' +
    'renamed. The exit code is 4 if the archive is damaged or changes during the upload, 1 if the bucket has another ' +
    'archive of that name or refuses the upload, 66 if the folder has no such backup, and 74 if the bucket stored ' +
    'different bytes. No database is needed.'
  static override examples = [
    '<%= config.bin %> backup:upload 0f9c2b8e6a0e',
    '<%= config.bin %> backup:upload /mnt/nas/phlix-20261124T182655Z-0f9c2b8e6a0e.tar --json',
  ]
  static override args = { backup: backupArgument }
  static override flags = { folder: folderFlag }
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
    const { args, flags } = await this.parse(BackupUpload)
    const { id, path, upload } = await this.withConfig(
      async (config, { log, signal }) => {
        const path = await findArchive(config, { backup: args.backup, folder: flags.folder })
        const { describeBackup, uploadBackup } = await import('../../core/backups/index.ts')
        return withBucket(config, log, async (bucket, needs) => {
          const backup = await describeBackup(path, basename(path))
          const progress = await this.createProgress('Upload')
          try {
            const onPart = ({ bytes, total }: { bytes: number; total: number }): void =>
              progress.update({ done: bytes, total, currentPath: null })
            return {
              id: backup.id,
              path,
              upload: await uploadBackup(bucket, { config, ...needs }, { backup, signal, onPart }),
            }
          } finally {
            await progress.end()
          }
        })
      },
      { isSelfEnding: true },
    )
    const { location, bytes, sha256, isNew } = upload
    return this.finish({
      result: { id, path, location, bytes, sha256, uploaded: isNew },
      text: isNew ? `Copied ${path} (${describeBytes(bytes)}) to ${location}` : `The bucket has it: ${location}`,
    })
  }
}
