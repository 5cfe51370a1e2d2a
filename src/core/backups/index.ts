export { createBackup, type CreatedBackup, type CreateStep } from './create/create-backup.ts'
export { backupErrors } from './errors.ts'
export { backupFolder } from './folder/backup-file.ts'
export { findBackup, listBackups, type ListedBackup } from './folder/list-backups.ts'
export { readPassphraseText } from './passphrase.ts'
export { finishRestore } from './restore/finish-restore.ts'
export { restoreBackup, type Restored } from './restore/restore-backup.ts'
export { deleteBackup, pruneBackups, type PrunedBackup } from './retention/prune-backups.ts'
export { verifyBackup, isDamage, type Verification } from './verify/verify-backup.ts'
export { restoreAndRestart } from './restore/server-restore.ts'
export {
  changeSchedule,
  makeDueBackup,
  makeServerBackup,
  readSchedule,
  watchBackups,
  type BackupSchedule,
} from './schedule/schedule.ts'
export { migrateWithBackup } from './upgrade/migrate-with-backup.ts'
