import type { Config } from '../../platform/config/index.ts'
import type { Database } from '../../platform/database/index.ts'
import { countEncoders, jobDirectory } from '../job/job-directory.ts'
import { selectTranscodeJobs, type TranscodeJobWithItem } from '../job/queries.ts'
import { readJobProgress, type TranscodeProgress } from './transcode-progress.ts'

/** A job with its progress and the number of its encoders in all processes. */
export type TranscodeSummary = TranscodeJobWithItem &
  Pick<TranscodeProgress, 'encodedSegments' | 'percent'> & { encoders: number }

/** Returns the jobs, most recently used first. */
export async function listTranscodes(
  { db, config }: { db: Database; config: Pick<Config, 'dataDirectory'> },
  { limit }: { limit: number },
): Promise<TranscodeSummary[]> {
  const summaries: TranscodeSummary[] = []
  for (const job of await selectTranscodeJobs(db, limit)) {
    const { encodedSegments, percent, status } = await readJobProgress({ config }, job)
    const encoders = await countEncoders(jobDirectory(config, job.id))
    summaries.push({ ...job, status, encodedSegments, percent, encoders })
  }
  return summaries
}
