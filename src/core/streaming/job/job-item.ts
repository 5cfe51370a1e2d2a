import type { Database } from '../../platform/database/index.ts'
import { findJob } from './queries.ts'
import { isJobId } from './transcode-job.ts'

/** The item of a transcode job; undefined when there is no such job. An id that is not a UUID is not looked up. */
export async function findJobItemId({ db }: { db: Database }, jobId: string): Promise<string | undefined> {
  return isJobId(jobId) ? (await findJob(db, jobId))?.mediaItemId : undefined
}
