import { LRUCache } from 'lru-cache'
import type { Config } from '../../platform/config/index.ts'
import type { Database } from '../../platform/database/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { streamingErrors } from '../errors.ts'
import { jobDirectory } from '../job/job-directory.ts'
import { findTranscodeJob, markJobUsed } from '../job/queries.ts'
import type { Rendition } from '../job/rendition.ts'
import { readStreamPlan, type StreamPlan } from '../job/stream-plan.ts'
import { isTranscodeJobId } from '../job/transcode-job.ts'

/** A job with its plan. A job without a ladder has one rendition, whose file names contain no rendition id. */
export type OpenJob = Readonly<{ directory: string; plan: StreamPlan; hasLadder: boolean }>

/**
 * Returns the rendition that a file name refers to; undefined if the job has no such rendition or names its files differently (with or
 * without a ladder).
 */
export function renditionOfFileName({ plan, hasLadder }: OpenJob, id: string | null): Rendition | undefined {
  if (!hasLadder) return id === null ? plan.renditions[0] : undefined
  return plan.renditions.find((rendition) => rendition.id === id)
}

/** Capacity of the cache. */
const MAX_CACHED_JOBS = 256
/** Cached jobs expire after this time, because their items may be removed. */
const CACHE_MILLISECONDS = 30_000

type Services = { db: Database; clock: Clock; config: Pick<Config, 'dataDirectory'> }

/** An LRU cache of the jobs in use, with rows and plans. */
export class OpenJobs {
  readonly #services: Services
  readonly #cache: LRUCache<string, OpenJob>

  constructor(services: Services) {
    this.#services = services
    this.#cache = new LRUCache({
      max: MAX_CACHED_JOBS,
      ttl: CACHE_MILLISECONDS,
      // Otherwise the library reads the clock once per millisecond, by a timer of the machine.
      ttlResolution: 0,
      perf: { now: () => services.clock.monotonicMilliseconds() },
    })
  }

  /** @throws AppError `transcode_job_not_found`; an id that is not a UUID is rejected without a query */
  async get(jobId: string): Promise<OpenJob> {
    const known = this.#cache.get(jobId)
    if (known !== undefined) return known
    const job = await this.#read(jobId)
    this.#cache.set(jobId, job)
    return job
  }

  /** Evicts a job, so that the next call reads it again. */
  evict(jobId: string): void {
    this.#cache.delete(jobId)
  }

  async #read(jobId: string): Promise<OpenJob> {
    const { db, clock, config } = this.#services
    const row = isTranscodeJobId(jobId) ? await findTranscodeJob(db, jobId) : undefined
    const directory = jobDirectory(config, jobId)
    const plan = row === undefined ? undefined : await readStreamPlan(directory)
    if (row === undefined || plan === undefined) throw streamingErrors.transcode_job_not_found()
    await markJobUsed(db, { id: row.id, now: clock.now() })
    return { directory, plan, hasLadder: row.variants !== null }
  }
}
