import type { Config } from '../../platform/config/index.ts'
import type { Database } from '../../platform/database/index.ts'
import { streamingErrors } from '../errors.ts'
import { jobDirectory, removeJobDirectory } from '../job/job-directory.ts'
import { markTranscodeJobCancelled, findMainJobOfPart, findTranscodeJob, selectPartJobIds } from '../job/queries.ts'
import { isTranscodeJobId, type TranscodeJob } from '../job/transcode-job.ts'
import type { SegmentServer } from '../segments/segment-server.ts'

type Services = {
  db: Database
  config: Pick<Config, 'dataDirectory'>
  segments: Pick<SegmentServer, 'endJob'>
}

/**
 * Cancels a job at once, together with the jobs of all files of its film. The encoders of these jobs end in all processes, and the files of
 * the jobs are removed. Pending and later requests for segments are answered with 404, and players must start the item again.
 * @returns the job with the given id
 * @throws AppError `transcode_job_not_found`
 */
export async function cancelTranscode({ db, config, segments }: Services, id: string): Promise<TranscodeJob> {
  const job = isTranscodeJobId(id) ? await findTranscodeJob(db, id) : undefined
  if (job === undefined) throw streamingErrors.transcode_job_not_found()
  // All jobs of the film are cancelled: without the segments of one part the film could not be played to its end.
  const film = (await findMainJobOfPart(db, job.id)) ?? job
  for (const jobId of new Set([film.id, job.id, ...(await selectPartJobIds(db, film.id))])) {
    await markTranscodeJobCancelled(db, jobId)
    try {
      await removeJobDirectory(jobDirectory(config, jobId))
    } finally {
      await segments.endJob(jobId)
    }
  }
  return { ...job, status: 'cancelled' }
}
