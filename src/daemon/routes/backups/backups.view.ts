import type { BackupSchedule } from '../../../core/backups/index.ts'
import { isoTimestampOrNull } from '../../../core/platform/time/index.ts'

/** The schedule, and again under `data`, where clients that unwrap replies read it. The number is in Unix seconds. */
export function scheduleView({ intervalDays, retention, nextAt }: BackupSchedule) {
  const fields = {
    auto_backup_interval_days: intervalDays,
    retention_count: retention,
    next_scheduled_backup: nextAt === null ? null : Math.floor(nextAt.getTime() / 1000),
    next_scheduled_backup_iso: isoTimestampOrNull(nextAt),
  }
  return { success: true as const, ...fields, data: fields }
}
