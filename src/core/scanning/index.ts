export { cancelScan } from './queue/cancel-scan.ts'
export { scanErrors } from './errors.ts'
export {
  findActiveScan,
  getScanJob,
  findLatestScan,
  listScanFailures,
  listLibraryScanJobs,
  listScanJobs,
} from './queue/list-scan-jobs.ts'
export { transferUserDataToVersions } from './store/transfer-user-data.ts'
export { inspectFile, type FileInspection } from './read/inspect-media-file.ts'
export { queueMatchAfterScan } from './worker/match-after-scan.ts'
export { countMatchableEntities } from './metadata/match-metadata.ts'
export { previewPrune, type PrunePreview } from './reconcile/prune-library.ts'
export type { ScanFailure } from './queries/failures.ts'
export { queueScan, type QueueableType, type QueueScanInput } from './queue/queue-scan.ts'
export { createLibraryAndScan, updateLibraryAndScan } from './queue/save-library-and-scan.ts'
export { findUnavailableRoots } from './walk/root-guard.ts'
export { listAbandonedScanJobs } from './queue/list-abandoned.ts'
export { recoverScanJobs } from './queue/recover-scans.ts'
export { runScanJob, type RunScanInput } from './worker/run-scan-job.ts'
export { isAnalysis } from './job/scan-job.ts'
export { listWaitingAnalyses } from './queue/list-analyses.ts'
export { retryScanJob } from './queue/retry-scan.ts'
export { queueTranscodedTrickplay } from './queue/queue-transcoded-trickplay.ts'
export { queueConfiguredAnalysis } from './queue/queue-analysis.ts'
export type { ActiveScanJob, ScanJob, ScanJobStatus, ScanJobType, ScanOptions } from './job/scan-job.ts'
export { createScanThread, type ScanThread } from './worker/scan-thread.ts'
