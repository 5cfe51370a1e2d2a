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
import { progressOf, type TranscodeProgress } from './transcode-progress.ts'

const SWEEP_MILLISECONDS = 10 * 60 * 1000

/** A job without use for this time is removed; starting the item again makes another one. */
const MAX_UNUSED_JOB_MILLISECONDS = 7 * 24 * 3600 * 1000

/** A directory is written before its row. Only a directory older than this without a row is orphaned. */
const ORPHAN_AGE_MILLISECONDS = 3600 * 1000

type Services = {
  db: Database
  config: Pick<Config, 'dataDirectory'>
  clock: Clock
  segments: Pick<SegmentServer, 'endJob'> & { cache: SegmentCache }
}

/** The numbers of removed objects. */
export type StreamSweep = { segments: number; bytes: number; jobs: number; abandonedEncoders: number }

/**
 * Sweeps now and every ten minutes while the daemon runs.
 * @returns a function that stops sweeping, after the current sweep has ended
 */
export function startStreamSweeps(services: Services & { log: Logger }): PeriodicTask {
  const { log } = services
  return startPeriodicTask({
    intervalMilliseconds: SWEEP_MILLISECONDS,
    startsAtOnce: true,
    work: async () => {
      const removed = await sweepStreams(services)
      if (Object.values(removed).some((count) => count > 0)) log.info(removed, 'removed old segments')
    },
    onError: (error) => log.warning({ reason: describeError(error) }, 'removing old segments failed'),
  })
}

/**
 * Removes the folders of dead encoders, segments without a request for a day, and jobs without use for a week; more segments if the disk
 * has too little free space.
 * @param input.unusedMilliseconds time after which a job without use is removed; default: a week
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
    const { encodedSegments, percent, status } = await progressOf({ config }, job)
    const encoders = await countEncoders(jobDirectory(config, job.id))
    summaries.push({ ...job, status, encodedSegments, percent, encoders })
  }
  return summaries
}

/**
 * Cancels a job at once, together with the jobs of all files of its film. Their encoders end in all processes, and their files are
 * removed. Players get 404 and must start the item again; pending requests for segments get it too.
 * @returns the job with the given id
 * @throws AppError `transcode_job_not_found`
 */
export async function cancelTranscode(
  { db, config, segments }: Pick<Services, 'db' | 'config' | 'segments'>,
  id: string,
): Promise<TranscodeJob> {
  const job = isJobId(id) ? await findJob(db, id) : undefined
  if (job === undefined) throw streamingErrors.transcode_job_not_found()
  // A film with a part without files could not be played to its end.
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
