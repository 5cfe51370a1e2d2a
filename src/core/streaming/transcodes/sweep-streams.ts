import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { startPeriodicTask, type PeriodicTask } from '../../platform/concurrency/index.ts'
import type { Config } from '../../platform/config/index.ts'
import type { Database } from '../../platform/database/index.ts'
import { describeError } from '../../platform/errors/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import {
  completeInterruptedRemovals,
  jobDirectory,
  listFolderNames,
  removeAbandonedEncoders,
  removeJobDirectory,
  transcodesDirectory,
} from '../job/job-directory.ts'
import { deleteUnusedJobs, selectExistingJobIds } from '../job/queries.ts'
import type { SegmentCache } from '../cache/segment-cache.ts'
import { isTranscodeJobId } from '../job/transcode-job.ts'

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
  segments: { cache: SegmentCache }
}

/** What a sweep has removed: numbers of segments, jobs and folders of dead encoders, and the bytes of the segments. */
export type StreamSweepResult = { segments: number; bytes: number; jobs: number; abandonedEncoders: number }

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
): Promise<StreamSweepResult> {
  const transcodes = transcodesDirectory(services.config)
  const abandonedEncoders = await removeAbandonedEncoders(transcodes)
  const jobs = await removeUnusedJobs(services, { transcodes, unusedMilliseconds })
  await completeInterruptedRemovals(transcodes)
  return { ...(await services.segments.cache.sweep()), jobs, abandonedEncoders }
}

async function removeUnusedJobs(
  { db, config, clock }: Services,
  { transcodes, unusedMilliseconds }: { transcodes: string; unusedMilliseconds: number },
): Promise<number> {
  const now = clock.now().getTime()
  const unused = await deleteUnusedJobs(db, new Date(now - unusedMilliseconds))
  const names = (await listFolderNames(transcodes)).filter((name) => isTranscodeJobId(name))
  const existing = new Set(await selectExistingJobIds(db, names))
  for (const id of unused) await removeJobDirectory(jobDirectory(config, id))
  for (const id of names) {
    const made = existing.has(id) ? undefined : await stat(join(transcodes, id)).catch(() => undefined)
    if (made === undefined || made.mtimeMs > now - ORPHAN_AGE_MILLISECONDS) continue
    await removeJobDirectory(join(transcodes, id))
  }
  return unused.length
}
