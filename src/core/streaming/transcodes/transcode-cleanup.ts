import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { startPeriodicTask, type PeriodicTask } from '../../platform/concurrency/index.ts'
import type { Config } from '../../platform/config/index.ts'
import type { Database } from '../../platform/database/index.ts'
import { describeError } from '../../platform/errors/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { streamingErrors } from '../errors.ts'
import {
  countEncoders,
  finishRemovals,
  jobDirectory,
  namesIn,
  removeAbandonedEncoders,
  removeJobDirectory,
  transcodesDirectory,
} from '../job/job-directory.ts'
import {
  cancelJob,
  deleteUnusedJobs,
  existingJobs,
  findFilmJob,
  findJob,
  listJobs,
  selectPartJobs,
  type ListedJob,
} from '../job/queries.ts'
import type { SegmentCache } from '../cache/segment-cache.ts'
import type { SegmentServer } from '../segments/segment-server.ts'
import { isJobId, type TranscodeJob } from '../job/transcode-job.ts'
import { transcodeProgressOf, type TranscodeProgress } from './transcode-progress.ts'

const SWEEP_MILLISECONDS = 10 * 60 * 1000

/** A job that has not been used for this time is removed; starting its item again creates a new job. */
const MAX_UNUSED_JOB_MILLISECONDS = 7 * 24 * 3600 * 1000

/**
 * The directory of a job is written before its row in the database. A directory without a row is orphaned only if it is older than this.
 */
const ORPHAN_AGE_MILLISECONDS = 3600 * 1000

type Services = {
  db: Database
  config: Pick<Config, 'dataDirectory'>
  clock: Clock
  segments: Pick<SegmentServer, 'endJob'> & { cache: SegmentCache }
}

/** What a sweep has removed: numbers of segments, jobs and folders of dead encoders, and the bytes of the segments. */
export type StreamSweep = { segments: number; bytes: number; jobs: number; abandonedEncoders: number }

/**
 * Starts sweeps: one now, and one every ten minutes while the daemon runs.
 * @returns the periodic task, with which the caller stops the sweeps
 */
export function startStreamSweeps(services: Services & { log: Logger }): PeriodicTask {
  const { log } = services
  return startPeriodicTask({
    intervalMilliseconds: SWEEP_MILLISECONDS,
    startsAtOnce: true,
    work: async () => {
      const removed = await sweepStreams(services)
      if (Object.values(removed).some((count) => count > 0)) log.info(removed, 'removed unused transcodes')
    },
    onError: (error) => log.warning({ reason: describeError(error) }, 'removing unused transcodes failed'),
  })
}

/**
 * Removes the folders of dead encoders, segments that were not requested for a day, and jobs that were not used for a week. If the disk has
 * too little free space, further segments are removed.
 * @param input.unusedMilliseconds time after which an unused job is removed; default: a week
 */
export async function sweepStreams(
  services: Services,
  { unusedMilliseconds = MAX_UNUSED_JOB_MILLISECONDS }: { unusedMilliseconds?: number } = {},
): Promise<StreamSweep> {
  const transcodes = transcodesDirectory(services.config)
  const abandonedEncoders = await removeAbandonedEncoders(transcodes)
  const jobs = await removeUnusedJobs(services, { transcodes, unusedMilliseconds })
  await finishRemovals(transcodes)
  return { ...(await services.segments.cache.sweep()), jobs, abandonedEncoders }
}

async function removeUnusedJobs(
  { db, config, clock }: Services,
  { transcodes, unusedMilliseconds }: { transcodes: string; unusedMilliseconds: number },
): Promise<number> {
  const now = clock.now().getTime()
  const unused = await deleteUnusedJobs(db, new Date(now - unusedMilliseconds))
  const names = (await namesIn(transcodes)).filter((name) => isJobId(name))
  const existing = new Set(await existingJobs(db, names))
  for (const id of unused) await removeJobDirectory(jobDirectory(config, id))
  for (const id of names) {
    const made = existing.has(id) ? undefined : await stat(join(transcodes, id)).catch(() => undefined)
    if (made === undefined || made.mtimeMs > now - ORPHAN_AGE_MILLISECONDS) continue
    await removeJobDirectory(join(transcodes, id))
  }
  return unused.length
}

/** A job with its progress and the number of its encoders in all processes. */
export type TranscodeSummary = ListedJob & Pick<TranscodeProgress, 'encodedSegments' | 'percent'> & { encoders: number }

/** Returns the jobs, most recently used first. */
export async function listTranscodes(
  { db, config }: Pick<Services, 'db' | 'config'>,
  { limit }: { limit: number },
): Promise<TranscodeSummary[]> {
  const summaries: TranscodeSummary[] = []
  for (const job of await listJobs(db, limit)) {
    const { encodedSegments, percent, status } = await transcodeProgressOf({ config }, job)
    const encoders = await countEncoders(jobDirectory(config, job.id))
    summaries.push({ ...job, status, encodedSegments, percent, encoders })
  }
  return summaries
}

/**
 * Cancels a job at once, together with the jobs of all files of its film. The encoders of these jobs end in all processes, and the files of
 * the jobs are removed. Pending and later requests for segments are answered with 404, and players must start the item again.
 * @returns the job with the given id
 * @throws AppError `transcode_job_not_found`
 */
export async function cancelTranscode(
  { db, config, segments }: Pick<Services, 'db' | 'config' | 'segments'>,
  id: string,
): Promise<TranscodeJob> {
  const job = isJobId(id) ? await findJob(db, id) : undefined
  if (job === undefined) throw streamingErrors.transcode_job_not_found()
  // All jobs of the film are cancelled: without the segments of one part the film could not be played to its end.
  const film = (await findFilmJob(db, job.id)) ?? job
  for (const jobId of new Set([film.id, job.id, ...(await selectPartJobs(db, film.id))])) {
    await cancelJob(db, jobId)
    try {
      await removeJobDirectory(jobDirectory(config, jobId))
    } finally {
      await segments.endJob(jobId)
    }
  }
  return { ...job, status: 'cancelled' }
}
