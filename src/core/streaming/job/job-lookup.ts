import type { Connection, Database } from '../../platform/database/index.ts'
import { streamingErrors } from '../errors.ts'
import { findTranscodeJob } from './queries.ts'
import { isTranscodeJobId } from './transcode-job.ts'

/**
 * Checks that a job exists.
 * @throws AppError `transcode_job_not_found`; an id that is not a UUID is rejected without a query
 */
export async function requireTranscodeJob(connection: Connection, jobId: string): Promise<void> {
  if (!isTranscodeJobId(jobId) || (await findTranscodeJob(connection, jobId)) === undefined)
    throw streamingErrors.transcode_job_not_found()
}

/** The item of a transcode job; undefined when there is no such job. An id that is not a UUID is not looked up. */
export async function findJobItemId({ db }: { db: Database }, jobId: string): Promise<string | undefined> {
  return isTranscodeJobId(jobId) ? (await findTranscodeJob(db, jobId))?.mediaItemId : undefined
}
