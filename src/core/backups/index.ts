export { createBackup, type CreatedBackup, type CreateBackupStep } from './create/create-backup.ts'
export { backupErrors } from './errors.ts'
export { backupFolder } from './folder/backup-file.ts'
export { newestArchive } from './folder/newest-archive.ts'
export { describeBackup, findBackup, listBackups, type ListedBackup } from './folder/list-backups.ts'
export { configuredPassphrase, readPassphraseText } from './passphrase.ts'
export { finishRestore } from './restore/finish-restore.ts'
export { restoreBackup, type RestoredBackup } from './restore/restore-backup.ts'
export { deleteBackup, pruneBackups, type PrunedBackup } from './retention/prune-backups.ts'
export { readVerification, recordVerification } from './verify/verification-record.ts'
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
export { hasBucket, openBucket, type Bucket } from './remote/bucket.ts'
export { downloadBackup } from './remote/download.ts'
export { readOrCreateInstallationId } from './remote/installation-id.ts'
export { listBucket, listBucketNames } from './remote/list-bucket.ts'
export { listWithBucket } from './remote/list-with-bucket.ts'
export { pruneBucket } from './remote/prune-bucket.ts'
export { uploadBackup, type UploadedBackup } from './remote/upload.ts'
export { findOverdue, type Overdue } from './schedule/find-overdue.ts'
export { reportCompleted, reportFailed } from './schedule/report-backup.ts'
export { uploadNewest, uploadServerBackup } from './schedule/upload-newest.ts'
export { removeReplacedClusters } from './upgrade/replaced-clusters.ts'
export { migrateWithBackup } from './upgrade/migrate-with-backup.ts'
export { upgradeEngine, upgradeStoppedEngine, type EngineUpgrade } from './upgrade/upgrade-engine.ts'
