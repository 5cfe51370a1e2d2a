export {
  checkLibraryHealth,
  HEALTH_KINDS,
  type HealthFinding,
  type HealthKind,
  type LibraryHealth,
} from './check-library-health.ts'
export { mergeDuplicates, type MergedDuplicates } from './merge-duplicates.ts'
export { removeRepeatedFiles } from './remove-repeated-files.ts'
export { deleteLibrary, describeLibraryContent, type DeletedLibrary, type LibraryContent } from './delete-library.ts'
export { MAINTENANCE_TASKS, QUEUED_TASKS, type MaintenanceJob, type QueuedTask } from './tasks/maintenance-task.ts'
export {
  getMaintenanceJob,
  listMaintenanceJobs,
  queueMaintenanceJob,
  recoverMaintenanceJobs,
  runMaintenanceJob,
} from './tasks/maintenance-jobs.ts'
export { rebuildStatistics, requeueAbandonedScanJobs, removeUnusedTranscodeJobs } from './tasks/immediate-tasks.ts'
export { checkRelease, readReleaseStatus, watchReleases, type ReleaseStatus } from './updates/check-release.ts'
