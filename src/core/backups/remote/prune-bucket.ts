import { SIDECAR_SUFFIX } from '../folder/backup-file.ts'
import { findBackupsToKeep, type RetentionRules } from '../retention/retention.ts'
import type { PrunedBackup } from '../retention/prune-backups.ts'
import type { Bucket } from './bucket.ts'
import { listBucket } from './list-bucket.ts'

type Input = {
  rules: RetentionRules
  /**
   * Only uploads of this installation are counted and removed, because servers may share a bucket. Undefined: uploads of all installations.
   */
  installationId: string | undefined
  /** The backup that was just uploaded, which is kept. */
  protectedName?: string | undefined
  isDryRun?: boolean | undefined
  signal?: AbortSignal | undefined
}

/** Removes the backups of the bucket that no rule keeps. @returns all backups of the bucket, newest first @throws AppError `storage_…` */
export async function pruneBucket(
  bucket: Bucket,
  { rules, installationId, protectedName, isDryRun = false, signal }: Input,
): Promise<PrunedBackup[]> {
  const backups = await listBucket(bucket, signal)
  const own = backups.filter((backup) => installationId === undefined || backup.installationId === installationId)
  const kept = findBackupsToKeep(own, rules)
  const removed = new Set(own.filter((backup) => !kept.has(backup) && backup.name !== protectedName))
  for (const backup of isDryRun ? [] : removed) {
    const key = `${bucket.prefix}${backup.name}`
    await bucket.storage.remove(key, signal)
    await bucket.storage.remove(`${key}${SIDECAR_SUFFIX}`, signal)
  }
  return backups.map((backup) => ({ backup, isKept: !removed.has(backup) }))
}
