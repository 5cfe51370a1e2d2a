import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import { scanErrors } from '../errors.ts'
import { selectScanFailures, type ScanFailure } from '../queries/failures.ts'
import { findActiveJob, findScanJob, findLatestJob, listLibraryJobs, listAllJobs } from '../queries/jobs.ts'
import type { ActiveScanJob, ScanJob, ScanJobStatus } from '../job/scan-job.ts'

type Dependencies = { db: Connection }

const Id = z.guid()
const DEFAULT_LIMIT = 20
const MAX_LIMIT = 100

/** Selects the analyses of a library instead of its other jobs. The two neither wait for each other nor hide each other. */
type JobSelection = { isAnalysis?: boolean }

/** Returns the running job of a library, or the longest waiting one; undefined if there is none. */
export async function findActiveScan(
  { db }: Dependencies,
  libraryId: string,
  { isAnalysis = false }: JobSelection = {},
): Promise<ActiveScanJob | undefined> {
  return findActiveJob(db, { libraryId, isAnalysis })
}

/** Returns the most recently queued job of a library, in any status. */
export async function findLatestScan(
  { db }: Dependencies,
  libraryId: string,
  { isAnalysis = false }: JobSelection = {},
): Promise<ScanJob | undefined> {
  return findLatestJob(db, { libraryId, isAnalysis })
}

/** Returns the jobs of a library, newest first; `limit` is clamped to 1…100, default 20. */
export async function listLibraryScanJobs(
  { db }: Dependencies,
  { libraryId, limit = DEFAULT_LIMIT }: { libraryId: string; limit?: number },
): Promise<ScanJob[]> {
  const clamped = Number.isNaN(limit) ? DEFAULT_LIMIT : Math.min(Math.max(Math.trunc(limit), 1), MAX_LIMIT)
  return listLibraryJobs(db, { libraryId, limit: clamped })
}

/** Returns the jobs of all libraries in some states, or in all; the most recently queued first. */
export async function listScanJobs(
  { db }: Dependencies,
  which: { statuses: readonly ScanJobStatus[]; limit: number },
): Promise<ScanJob[]> {
  return listAllJobs(db, which)
}

/**
 * Returns a job by its id.
 * @throws AppError `scan_job_not_found`; an id that is not a UUID is rejected without a query
 */
export async function getScanJob({ db }: Dependencies, id: string): Promise<ScanJob> {
  const job = Id.safeParse(id).success ? await findScanJob(db, id) : undefined
  if (job === undefined) throw scanErrors.scan_job_not_found()
  return job
}

/** Returns the files and folders that a job could not process, by path; at most 1,000 are stored per job. */
export async function listScanFailures(
  { db }: Dependencies,
  { scanJobId }: { scanJobId: string },
): Promise<ScanFailure[]> {
  return selectScanFailures(db, { jobId: scanJobId, limit: 1000 })
}
