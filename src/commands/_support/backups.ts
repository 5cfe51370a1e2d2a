import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import type { Bucket, ListedBackup } from '../../core/backups/index.ts'
import type { Config } from '../../core/platform/config/index.ts'
import type { Database } from '../../core/platform/database/index.ts'
import type { Logger } from '../../core/platform/logging/index.ts'
import { isoTimestampOrNull, type Clock } from '../../core/platform/time/index.ts'
import { readSecretText } from './arguments/secret-file.ts'
import { commandErrors } from './errors.ts'
import { requireDatabase } from './open-services.ts'
import type { Column } from './output/table.ts'

/** The backup of a command: the id that `backup:list` shows, a file name of that list, or the path of a file. */
export const backupArgument = Args.string({
  required: true,
  ignoreStdin: true,
  description: 'Id of the backup, or path of an archive.',
})

export const folderFlag = Flags.string({
  helpValue: 'DIRECTORY',
  summary: 'Folder of the backups, instead of backups/ in the data directory.',
})

export const remoteFlag = Flags.boolean({
  summary: 'Use the bucket of backups.s3 instead of a folder.',
})

/** @throws AppError `usage` */
export function refuseFolder({ folder, remote }: { folder: string | undefined; remote: boolean }): void {
  if (remote && folder !== undefined) throw commandErrors.usage({ message: '--remote and --folder exclude each other' })
}

export const passphraseFileFlag = Flags.string({
  helpValue: 'FILE',
  summary: 'File with the passphrase of an encrypted backup; - reads standard input.',
})

/** The passphrase of `--passphrase-file`, or of the option `backups.passphrase_file`. An empty file is an error. */
export async function readPassphrase(config: Config, file: string | undefined): Promise<string | undefined> {
  const named = file ?? config.options['backups.passphrase_file']
  if (named === undefined) return undefined
  const { readPassphraseText } = await import('../../core/backups/index.ts')
  return readPassphraseText(named === '-' ? await readSecretText('-') : await readSecretText(named))
}

/** Limits the memory of a command that reads or writes an archive: it may run beside a server on a small machine. */
export async function limitBackupMemory(): Promise<void> {
  const { createGarbageCollector, limitHeapGrowth, limitYoungGenerationGrowth } =
    await import('../../core/platform/threads/index.ts')
  limitHeapGrowth()
  limitYoungGenerationGrowth()
  // The start of the command has let the young generation grow; a compacting collection makes it small again.
  createGarbageCollector().collectWholeHeap()
}

/** The services of a backup. The schema may be older than this release: a backup before the migration is the point. */
export type BackupServices = {
  config: Config
  log: Logger
  connectionUri: string
  db: Database
  close(): Promise<void>
}

/** Opens the database without a check of its schema, and reads the settings. @throws AppError `no_database` */
export async function openBackupServices(config: Config, log: Logger): Promise<BackupServices> {
  const { openDatabase } = await import('../../core/platform/database/index.ts')
  await requireDatabase(config)
  const database = await openDatabase({ config, log })
  try {
    const { applyDatabaseSettings } = await import('../../core/platform/settings/index.ts')
    const { connectionUri, pool: db } = database
    return {
      config: await applyDatabaseSettings({ config, db }),
      log,
      connectionUri,
      db,
      close: () => database.close(),
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

type RemoteWork<T> = (bucket: Bucket, needs: { clock: Clock; log: Logger }) => Promise<T>

/** Runs work with the bucket of the configuration. No database is opened. @throws AppError `backup_no_bucket`, `storage_…` */
export async function withBucket<T>(config: Config, log: Logger, work: RemoteWork<T>): Promise<T> {
  const { openBucket } = await import('../../core/backups/index.ts')
  const { createOutbound } = await import('../../core/platform/outbound/index.ts')
  const { systemClock: clock } = await import('../../core/platform/time/index.ts')
  const outbound = createOutbound({ log })
  try {
    return await work(openBucket({ config, outbound, clock }), { clock, log })
  } finally {
    await outbound.close()
  }
}

/** The path of the archive that an argument names. @throws AppError `backup_not_found` */
export async function findArchive(
  config: Config,
  { backup, folder }: { backup: string; folder: string | undefined },
): Promise<string> {
  if (backup.includes('/')) return backup
  const { findBackup } = await import('../../core/backups/index.ts')
  return (await findBackup({ config, folder, id: backup })).path
}

/** The URI of the external server; undefined with the embedded engine. */
export async function loadExternalDatabaseUri(config: Config): Promise<string | undefined> {
  const { externalDatabaseUri } = await import('../../core/platform/database/index.ts')
  return config.options['database.host'] === undefined ? undefined : externalDatabaseUri(config)
}

export const BACKUP_COLUMNS: readonly Column<ListedBackup>[] = [
  { title: 'id', text: ({ id }) => id },
  { title: 'created', text: ({ createdAt }) => isoTimestampOrNull(createdAt) ?? '-' },
  { title: 'size', text: ({ bytes }) => describeBytes(bytes), alignRight: true },
  { title: 'state', text: ({ state, isEncrypted }) => (isEncrypted ? `${state}, encrypted` : state) },
  { title: 'schema', text: ({ schemaVersion }) => String(schemaVersion ?? '-'), alignRight: true },
  { title: 'label', text: ({ label }) => label ?? '' },
  { title: 'problem', text: ({ problem }) => problem ?? '' },
]

/** `1.7 MiB`. */
export function describeBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1)
  const value = bytes / 1024 ** power
  return `${power === 0 ? value : value.toFixed(1)} ${units[power]}`
}
