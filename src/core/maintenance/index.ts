export { checkHealth, HEALTH_KINDS, type HealthFinding, type HealthKind, type LibraryHealth } from './check-health.ts'
export { mergeDuplicates, type MergedDuplicates } from './merge-duplicates.ts'
export { removeRepeatedFiles } from './remove-repeated-files.ts'
export { deleteLibrary, describeContent, type DeletedLibrary, type LibraryContent } from './delete-library.ts'
export { MAINTENANCE_TASKS, QUEUED_TASKS, type MaintenanceJob, type QueuedTask } from './tasks/maintenance-task.ts'
export {
  getMaintenance,
  listMaintenance,
  queueMaintenance,
  recoverMaintenance,
  runMaintenance,
} from './tasks/maintenance-jobs.ts'
export { cleanUpStatistics, reapScanJobs, reapTranscodeJobs } from './tasks/immediate-tasks.ts'
export { checkRelease, readReleaseStatus, watchReleases, type ReleaseStatus } from './updates/check-release.ts'
