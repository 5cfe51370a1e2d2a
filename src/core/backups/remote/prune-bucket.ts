import { SIDECAR_SUFFIX } from '../folder/backup-file.ts'
import { keptBackups, type RetentionRules } from '../retention/retention.ts'
import type { PrunedBackup } from '../retention/prune-backups.ts'
import type { Bucket } from './bucket.ts'
import { listBucket } from './list-bucket.ts'

type Input = {
  rules: RetentionRules
  /** The backup that was just uploaded, which is kept. */
  protectedName?: string | undefined
  isDryRun?: boolean | undefined
  signal?: AbortSignal | undefined
}

/** Removes the backups of the bucket that no rule keeps. @returns all, newest first @throws AppError `storage_…` */
export async function pruneBucket(
  bucket: Bucket,
  { rules, protectedName, isDryRun = false, signal }: Input,
): Promise<PrunedBackup[]> {
  const backups = await listBucket(bucket, signal)
  const kept = keptBackups(backups, rules)
  for (const backup of backups) if (backup.name === protectedName) kept.add(backup)
  for (const backup of isDryRun ? [] : backups) {
    if (kept.has(backup)) continue
    const key = `${bucket.prefix}${backup.name}`
    await bucket.storage.remove(key, signal)
    await bucket.storage.remove(`${key}${SIDECAR_SUFFIX}`, signal)
  }
  return backups.map((backup) => ({ backup, isKept: kept.has(backup) }))
}
