import { join } from 'node:path'
import type { Config } from '../../platform/config/index.ts'
import type { Database } from '../../platform/database/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { Outbound } from '../../platform/outbound/index.ts'
import { readSetting } from '../../platform/settings/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { backupFolder } from '../folder/backup-file.ts'
import { describeBackup } from '../folder/list-backups.ts'
import { newestArchive } from '../folder/newest-archive.ts'
import { openBucket } from '../remote/bucket.ts'
import { readOrCreateInstallationId } from '../remote/installation-id.ts'
import { listBucketNames } from '../remote/list-bucket.ts'
import { pruneBucket } from '../remote/prune-bucket.ts'
import { uploadBackup, type UploadedBackup } from '../remote/upload.ts'
import { reportCompleted } from './report-backup.ts'

type Dependencies = { config: Config; clock: Clock; log: Logger; db: Database; outbound: Outbound }

/**
 * Copies the newest backup of the server's folder to the bucket, and removes the oldest uploads of this installation above
 * `backups.retention` from the bucket.
 * @returns undefined if there is no backup, or if the bucket already contains it
 * @throws AppError `backup_no_bucket`, `backup_damaged`, `storage_…`; then nothing is removed
 */
export async function uploadNewest(needs: Dependencies, signal?: AbortSignal): Promise<UploadedBackup | undefined> {
  const folder = backupFolder(needs.config)
  const newest = await newestArchive(folder, needs.clock)
  if (newest === undefined) return undefined
  const bucket = openBucket(needs)
  // The size is compared too: a truncated copy is replaced.
  if ((await listBucketNames(bucket, signal)).get(newest.name) === newest.bytes) return undefined
  return uploadServerBackup(needs, { path: join(folder, newest.name), name: newest.name, signal })
}

type Input = { path: string; name: string; signal?: AbortSignal | undefined }

/** Copies an archive of the folder to the bucket like `uploadNewest`, even if the bucket already contains it. */
export async function uploadServerBackup(needs: Dependencies, { path, name, signal }: Input): Promise<UploadedBackup> {
  const bucket = openBucket(needs)
  const backup = await describeBackup(path, name)
  const uploaded = await uploadBackup(bucket, needs, { backup, signal })
  const last = await readSetting(needs, 'backups.retention')
  const installationId = await readOrCreateInstallationId(needs.config)
  await pruneBucket(bucket, { rules: { last }, installationId, protectedName: uploaded.name, signal })
  if (uploaded.isNew) await reportCompleted(needs, { ...backup, place: 'bucket' })
  return uploaded
}
