import * as Flags from '@oclif/core/flags'
import { basename, resolve } from 'node:path'
import { createdBackupView, tableDetailsView } from '../../core/views/index.ts'
import {
  openBackupServices,
  describeBytes,
  passphraseFileFlag,
  limitBackupMemory,
  readPassphrase,
  withBucket,
} from '../_support/backups.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'

export default class BackupCreate extends BaseCommand {
  static override summary = 'Write a backup of the database, the configuration and the keys; a server may run.'
  static override description =
    'The archive holds all tables as of one moment, config.toml, keys/ and plugins/. It is written under a ' +
    'temporary name and renamed when it is complete. Older backups are kept; backup:prune removes them. The exit ' +
    'code is 75 if another backup is running.'
  static override examples = [
    '<%= config.bin %> backup:create --label "before the upgrade"',
    '<%= config.bin %> backup:create --to /mnt/nas/phlix --quiet && <%= config.bin %> backup:prune --folder /mnt/nas/phlix --keep-daily 7 --yes --quiet',
    '<%= config.bin %> backup:create --upload --quiet',
  ]
  static override flags = {
    label: Flags.string({ helpValue: 'TEXT', summary: 'A note that backup:list shows.' }),
    to: Flags.string({
      helpValue: 'DIRECTORY',
      summary: 'Folder for the archive, instead of backups/ in the data directory.',
    }),
    include: Flags.option({
      options: ['artwork'] as const,
      multiple: true,
      summary: 'Also store the cached pictures; otherwise they are fetched again after a restore.',
    })(),
    upload: Flags.boolean({
      summary: 'Then copy the archive to the bucket of backups.s3. If the copy fails, the archive is kept.',
    }),
    details: Flags.boolean({ summary: 'Also print the rows, bytes and SHA-256 of each table.' }),
    'passphrase-file': passphraseFileFlag,
  }
  static override exitCodes = [
    EXIT.ok,
    EXIT.failure,
    EXIT.usage,
    EXIT.io,
    EXIT.tempfail,
    EXIT.denied,
    ...DATABASE_EXITS,
  ]
  static override isIdempotent = false

  async run(): Promise<object> {
    const { flags } = await this.parse(BackupCreate)
    await limitBackupMemory()
    const { created, upload } = await this.withConfig(
      async (config, { log, signal }) => {
        const passphrase = await readPassphrase(config, flags['passphrase-file'])
        const services = await openBackupServices(config, log)
        const progress = await this.createProgress('Backup')
        try {
          const { createBackup, describeBackup, reportCompleted, reportFailed, uploadBackup } =
            await import('../../core/backups/index.ts')
          const { systemClock } = await import('../../core/platform/time/index.ts')
          const needs = { ...services, clock: systemClock }
          // A configuration that is not complete must fail before the work.
          if (flags.upload) await withBucket(services.config, log, async () => undefined)
          let place: 'folder' | 'bucket' = 'folder'
          let path = ''
          let done = 0
          try {
            const created = await createBackup(needs, {
              label: flags.label,
              folder: flags.to === undefined ? undefined : resolve(flags.to),
              includesArtwork: flags.include?.includes('artwork') === true,
              passphrase,
              signal,
              onStep: ({ step, name }) => {
                if (step === 'table') progress.update({ done: (done += 1), total: null, currentPath: name })
              },
            })
            await reportCompleted(needs, { ...created, place })
            if (!flags.upload) return { created, upload: undefined }
            place = 'bucket'
            path = created.path
            const backup = await describeBackup(created.path, basename(created.path))
            const upload = await withBucket(services.config, log, (bucket) =>
              uploadBackup(bucket, needs, { backup, signal }),
            )
            await reportCompleted(needs, { ...created, place })
            return { created, upload }
          } catch (error) {
            if (place === 'bucket') this.warn(`${path} was written, but is not in the bucket`)
            if (!signal.aborted) await reportFailed(needs, { place, error })
            throw error
          }
        } finally {
          await progress.end()
          await services.close()
        }
      },
      { isSelfEnding: true },
    )
    for (const path of created.skipped)
      this.warn(`${path} is not in the backup: it is not a regular file, or it changed while it was read`)
    return this.finish({
      result: {
        ...createdBackupView(created),
        location: upload?.location ?? null,
        ...(flags.details ? { table_details: tableDetailsView(created) } : {}),
      },
      text: [
        ...(flags.details ? created.tables.map(({ name, rows, bytes }) => `${name}\t${rows}\t${bytes}`) : []),
        `Wrote ${created.path} (${describeBytes(created.bytes)}, id ${created.id})`,
        ...(upload === undefined ? [] : [`Copied it to ${upload.location}`]),
      ].join('\n'),
    })
  }
}
