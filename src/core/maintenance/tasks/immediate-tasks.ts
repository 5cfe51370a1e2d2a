import { removeUnusedSearchWords } from '../../catalogue/index.ts'
import type { Config } from '../../platform/config/index.ts'
import type { Database } from '../../platform/database/index.ts'
import type { JobQueue } from '../../platform/jobs/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { recoverScanJobs } from '../../scanning/index.ts'
import { rebuildPlayDays } from '../../statistics/index.ts'
import { sweepStreams, type SegmentServer } from '../../streaming/index.ts'

const DAY_SECONDS = 86_400
const DEFAULT_UNUSED_SECONDS = 7 * DAY_SECONDS
/** A film that was paused is continued with its job. */
const MIN_UNUSED_SECONDS = DAY_SECONDS

/** Queues the jobs of libraries again whose process has died, which their locks show: their age does not matter. */
export async function requeueAbandonedScanJobs(services: {
  db: Database
  connectionUri: string
  jobs: JobQueue
}): Promise<{ reaped: number }> {
  return { reaped: await recoverScanJobs(services) }
}

/**
 * Removes transcode jobs that nobody has used for a time, and what dead encoders left.
 * @param input.olderThanSeconds default: a week; at least a day
 */
export async function removeUnusedTranscodeJobs(
  services: { db: Database; config: Config; clock: Clock; segments: SegmentServer },
  { olderThanSeconds = DEFAULT_UNUSED_SECONDS }: { olderThanSeconds?: number | undefined },
): Promise<{ reaped: number; olderThanSeconds: number }> {
  const applied = Math.max(Math.trunc(olderThanSeconds), MIN_UNUSED_SECONDS)
  const { jobs } = await sweepStreams(services, { unusedMilliseconds: applied * 1000 })
  return { reaped: jobs, olderThanSeconds: applied }
}

/** Counts the plays of each day again, and removes words that no item uses. @returns the number of days that were wrong */
export async function rebuildStatistics({ db }: { db: Database }): Promise<{ correctedDays: number }> {
  const correctedDays = await rebuildPlayDays({ db })
  await removeUnusedSearchWords({ db })
  return { correctedDays }
}
