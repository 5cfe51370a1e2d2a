import type { Config } from '../platform/config/index.ts'
import type { Database } from '../platform/database/index.ts'
import { streamingErrors } from './errors.ts'
import { segmentCount } from './frame-grid.ts'
import { jobDirectory, namesIn } from './job-directory.ts'
import { findJob } from './queries.ts'
import { MASTER_PLAYLIST_NAME, parseStreamFile } from './segment-name.ts'
import { readStreamJob } from './stream-job.ts'
import { isJobId, type TranscodeJob, type TranscodeStatus } from './transcode-job.ts'

/** A job and what of it lies on the disk. */
export type TranscodeProgress = {
  job: TranscodeJob
  /** `completed` as soon as every segment of a rendition is there; nothing has to be for playing. */
  status: TranscodeStatus
  isPlaylistReady: boolean
  /** Of the rendition that is furthest. */
  encodedSegments: number
  /** 0 to 100. */
  percent: number
}

type Services = { db: Database; config: Pick<Config, 'dataDirectory'> }

/**
 * How far a job is, judged by its files, so that the answer survives a restart (document 2, Transcode job readiness).
 * @throws AppError `transcode_job_not_found`; for an id that is no UUID without a query
 */
export async function transcodeProgress(services: Services, jobId: string): Promise<TranscodeProgress> {
  const job = isJobId(jobId) ? await findJob(services.db, jobId) : undefined
  if (job === undefined) throw streamingErrors.transcode_job_not_found()
  return progressOf(services, job)
}

/** The same for a job that is at hand. */
export async function progressOf({ config }: Pick<Services, 'config'>, job: TranscodeJob): Promise<TranscodeProgress> {
  const directory = jobDirectory(config, job.id)
  const names = await namesIn(directory)
  const plan = await readStreamJob(directory)
  const encodedSegments = Math.max(0, ...countSegments(names).values())
  const total = plan === undefined ? 0 : segmentCount(plan.grid)
  const isComplete = total > 0 && encodedSegments === total
  return {
    job,
    status: job.status === 'running' && isComplete ? 'completed' : job.status,
    isPlaylistReady: names.includes(MASTER_PLAYLIST_NAME),
    encodedSegments,
    percent: total === 0 ? 0 : Math.floor((100 * encodedSegments) / total),
  }
}

function countSegments(names: readonly string[]): Map<string | null, number> {
  const counts = new Map<string | null, number>()
  for (const name of names) {
    const file = parseStreamFile(name)
    if (file?.kind === 'segment') counts.set(file.rendition, (counts.get(file.rendition) ?? 0) + 1)
  }
  return counts
}
