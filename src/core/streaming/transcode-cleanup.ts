import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { startPeriodicTask, type PeriodicTask } from '../platform/concurrency/index.ts'
import type { Config } from '../platform/config/index.ts'
import type { Database } from '../platform/database/index.ts'
import { describeError } from '../platform/errors/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { streamingErrors } from './errors.ts'
import {
  countHeads,
  finishRemovals,
  jobDirectory,
  namesIn,
  removeAbandonedEncoders,
  removeJobDirectory,
  transcodesDirectory,
} from './job-directory.ts'
import {
  cancelJob,
  deleteUnusedJobs,
  existingJobs,
  findFilmJob,
  findJob,
  listJobs,
  selectPartJobs,
  type ListedJob,
} from './queries.ts'
import type { SegmentCache } from './segment-cache.ts'
import type { SegmentServer } from './segment-server.ts'
import { isJobId, type TranscodeJob } from './transcode-job.ts'
import { progressOf, type TranscodeProgress } from './transcode-progress.ts'

const SWEEP_MILLISECONDS = 10 * 60 * 1000

/** A job that nobody has used for so long is removed; starting the item again makes another. */
const KEPT_JOB_MILLISECONDS = 7 * 24 * 3600 * 1000

/** A directory is written before its row: only one that is older than this and has none is nobody's. */
const ROWLESS_MILLISECONDS = 3600 * 1000

type Services = {
  db: Database
  config: Pick<Config, 'dataDirectory'>
  clock: Clock
  segments: Pick<SegmentServer, 'endJob'> & { cache: SegmentCache }
}

/** What a sweep has removed. */
export type StreamSweep = { segments: number; bytes: number; jobs: number; abandonedEncoders: number }

/**
 * Sweeps now and every ten minutes, as long as the daemon runs.
 * @returns what ends it, when the sweep under way has ended
 */
export function keepStreamsSwept(services: Services & { log: Logger }): PeriodicTask {
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
 * Removes what dead encoders left, segments that nobody asked for in a day, and jobs that nobody used in a week; more
 * segments where the disk is too full.
 */
export async function sweepStreams(services: Services): Promise<StreamSweep> {
  const transcodes = transcodesDirectory(services.config)
  const abandonedEncoders = await removeAbandonedEncoders(transcodes)
  const jobs = await removeUnusedJobs(services, transcodes)
  await finishRemovals(transcodes)
  return { ...(await services.segments.cache.sweep()), jobs, abandonedEncoders }
}

async function removeUnusedJobs({ db, config, clock }: Services, transcodes: string): Promise<number> {
  const now = clock.now().getTime()
  const unused = await deleteUnusedJobs(db, new Date(now - KEPT_JOB_MILLISECONDS))
  const names = (await namesIn(transcodes)).filter((name) => isJobId(name))
  const existing = new Set(await existingJobs(db, names))
  for (const id of unused) await removeJobDirectory(jobDirectory(config, id))
  for (const id of names) {
    const made = existing.has(id) ? undefined : await stat(join(transcodes, id)).catch(() => undefined)
    if (made === undefined || made.mtimeMs > now - ROWLESS_MILLISECONDS) continue
    await removeJobDirectory(join(transcodes, id))
  }
  return unused.length
}

/** A job with how far it is and how many encoders, of whatever process, work for it. */
export type TranscodeSummary = ListedJob & Pick<TranscodeProgress, 'encodedSegments' | 'percent'> & { encoders: number }

/** The jobs, last used first. */
export async function listTranscodes(
  { db, config }: Pick<Services, 'db' | 'config'>,
  { limit }: { limit: number },
): Promise<TranscodeSummary[]> {
  const summaries: TranscodeSummary[] = []
  for (const job of await listJobs(db, limit)) {
    const { encodedSegments, percent, status } = await progressOf({ config }, job)
    const encoders = await countHeads(jobDirectory(config, job.id))
    summaries.push({ ...job, status, encodedSegments, percent, encoders })
  }
  return summaries
}

/**
 * Takes a job out of use at once, with those of all files of its film, whichever of them is named: their encoders end, whichever process
 * started them, and their files go. Players get 404 and have to start the item again, also those that wait for a segment.
 * @returns the job that was named
 * @throws AppError `transcode_job_not_found`
 */
export async function cancelTranscode(
  { db, config, segments }: Pick<Services, 'db' | 'config' | 'segments'>,
  id: string,
): Promise<TranscodeJob> {
  const job = isJobId(id) ? await findJob(db, id) : undefined
  if (job === undefined) throw streamingErrors.transcode_job_not_found()
  // A film whose part has no files could not be played on.
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
