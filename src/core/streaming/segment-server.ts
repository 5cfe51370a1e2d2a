import type { EventEmitter } from 'node:events'
import { stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../platform/config/index.ts'
import type { Database } from '../platform/database/index.ts'
import { AppError, describeError } from '../platform/errors/index.ts'
import { freeSpaceBytes, openInsideRoot } from '../platform/files/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { MediaTools } from '../platform/media-tools/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { EncoderPool, type EncoderPoolLimits, type WantedSegment } from './encoder-pool.ts'
import { FailureCache } from '../platform/cache/index.ts'
import { Semaphore } from '../platform/concurrency/index.ts'
import { streamingErrors } from './errors.ts'
import { clearFailure, markFailure } from './failure-marker.ts'
import { hasDirectory, transcodesDirectory } from './job-directory.ts'
import { OpenJobs, wantedRendition } from './open-jobs.ts'
import { segmentCountOf } from './rendition-segments.ts'
import { SegmentCache } from './segment-cache.ts'
import { segmentName } from './segment-name.ts'
import { SharedTasks } from './shared-tasks.ts'

/** `rendition` is null for a job without a ladder. */
export type SegmentRequest = Readonly<{ jobId: string; rendition: string | null; index: number }>

export type SegmentServices = {
  config: Pick<Config, 'dataDirectory' | 'options'>
  log: Logger
  clock: Clock
  db: Database
  mediaTools: Pick<MediaTools, 'startSegmenter'>
}

/** Numbers that tests make smaller. */
export type SegmentLimits = Omit<EncoderPoolLimits, 'runningMilliseconds'> & {
  /** Document 2, Limits: different segments that may be wanted at the same time. */
  wantedSegments: number
  /** Longer than a player's pause between giving up on a request and asking again. */
  abandonedMilliseconds: number
  failureMilliseconds: number
}

const LIMITS: SegmentLimits = {
  wantedSegments: 8,
  abandonedMilliseconds: 10_000,
  failureMilliseconds: 5000,
  headsPerRendition: 2,
  parkedHeads: 4,
  idleMilliseconds: 60_000,
  stalledMilliseconds: 60_000,
}

const BUSY_RETRY_SECONDS = 2

/**
 * Makes the segments of transcode jobs when they are asked for, each once, a few at the same time (document 2, segment
 * serving rules 4 to 6 and 10). Nothing runs and nothing is touched before the first request.
 */
export class SegmentServer {
  readonly #services: SegmentServices
  readonly #limits: SegmentLimits
  readonly #jobs: OpenJobs
  readonly #slots: Semaphore
  readonly #encoders: EncoderPool
  readonly #encodes: SharedTasks<string>
  readonly #failures: FailureCache
  /** What lies on the disk, for upkeep too. */
  readonly cache: SegmentCache
  #isClosed = false

  constructor(services: SegmentServices, limits: Partial<SegmentLimits> = {}) {
    const { config, clock } = services
    this.#services = services
    this.#limits = { ...LIMITS, ...limits }
    this.#jobs = new OpenJobs(services)
    this.#slots = new Semaphore({ permits: config.options['hls.max_concurrent_transcodes'] })
    this.#encodes = new SharedTasks({ abandonedMilliseconds: this.#limits.abandonedMilliseconds })
    this.#failures = new FailureCache(clock, this.#limits.failureMilliseconds)
    this.cache = new SegmentCache(
      { clock, freeBytes: freeSpaceBytes },
      { directory: transcodesDirectory(config), floorBytes: config.options['hls.min_disk_space_bytes'] },
    )
    const runningMilliseconds = config.options['hls.transcode_timeout_seconds'] * 1000
    this.#encoders = new EncoderPool(
      { ...services, slots: this.#slots, ensureRoom: (wanted) => this.cache.ensureRoom(placeOf(wanted)) },
      { ...this.#limits, runningMilliseconds },
    )
  }

  /** Segments that somebody waits for, and encoders, of which some are stopped until they are needed again. */
  get counts(): { wanted: number; encoders: number; suspended: number } {
    return { wanted: this.#encodes.wantedCount, ...this.#encoders.counts }
  }

  /**
   * The absolute path of a segment, which is encoded first where it is missing. Aborting `signal` leaves the queue;
   * when nobody else waits, the encoder is stopped soon after.
   * @throws AppError `transcode_job_not_found`, `stream_file_not_found`, `segment_busy`, `disk_space_low`,
   *   `segment_failed`, `streaming_stopped`, `tool_missing`, and those of opening the source
   */
  async segment(request: SegmentRequest, signal?: AbortSignal): Promise<string> {
    if (this.#isClosed) throw streamingErrors.streaming_stopped()
    const job = await this.#jobs.get(request.jobId)
    const rendition = wantedRendition(job, request.rendition)
    if (rendition === undefined || request.index >= segmentCountOf(job.plan, rendition)) {
      throw streamingErrors.stream_file_not_found()
    }
    const path = join(job.directory, segmentName(request.rendition, request.index))
    if (await isPresent(path)) return path
    if (!(await hasDirectory(job.directory))) throw this.#cancelled(request.jobId)
    this.#failures.throwIfFailed(path)
    this.#refuseTooMany(path)
    const wanted: WantedSegment = { job, jobId: request.jobId, rendition, index: request.index, path }
    return this.#encodes.join(path, (stop) => this.#encode(wanted, stop), signal)
  }

  /**
   * The same segment, open for reading; the caller closes it.
   * @throws AppError as `segment` does, and `path_outside_root` where a link leads out of the cache
   */
  async open(request: SegmentRequest, signal?: AbortSignal): Promise<FileHandle> {
    const root = transcodesDirectory(this.#services.config)
    const path = await this.segment(request, signal)
    const release = this.cache.read(path)
    try {
      const handle = await this.#openFile({ root, path }, () => this.segment(request, signal))
      ;(handle as unknown as EventEmitter).once('close', release)
      return handle
    } catch (error) {
      release()
      throw error
    }
  }

  /** Ends the encoders of a job, and forgets it. */
  async endJob(jobId: string): Promise<void> {
    this.#jobs.forget(jobId)
    await this.#encoders.endJob(jobId)
  }

  /**
   * Stops all encoders and waits until they have ended; whoever waits for a segment gets `streaming_stopped`.
   * Idempotent.
   */
  async close(): Promise<void> {
    this.#isClosed = true
    const stopped = this.#encodes.stopAll(streamingErrors.streaming_stopped())
    await this.#encoders.close()
    await stopped
  }

  async #openFile({ root, path }: { root: string; path: string }, again: () => Promise<string>): Promise<FileHandle> {
    try {
      return await openInsideRoot(root, path)
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'file_not_found')) throw error
      // It was swept out of the cache in between.
      return openInsideRoot(root, await again())
    }
  }

  /** Another process has cancelled a job that is remembered here. */
  #cancelled(jobId: string): Error {
    this.#jobs.forget(jobId)
    return streamingErrors.transcode_job_not_found()
  }

  #refuseTooMany(path: string): void {
    if (this.#encodes.has(path) || this.#encodes.wantedCount < this.#limits.wantedSegments) return
    throw streamingErrors.segment_busy({ retryAfterSeconds: BUSY_RETRY_SECONDS })
  }

  async #encode(wanted: WantedSegment, stop: AbortSignal): Promise<string> {
    const { clock, log } = this.#services
    const began = clock.monotonicMilliseconds()
    if (this.#slots.isFull) this.#encodes.stopAbandoned()
    try {
      await this.#encoders.make(wanted, stop)
    } catch (error) {
      // Whatever went wrong follows from the end of the job.
      if (!(await hasDirectory(wanted.job.directory))) throw this.#cancelled(wanted.jobId)
      if (!stop.aborted) await this.#noteFailure(wanted, error)
      throw error
    }
    const { jobId, rendition, index, path, job } = wanted
    const milliseconds = Math.round(clock.monotonicMilliseconds() - began)
    log.debug({ jobId, rendition: rendition.id, index, milliseconds }, 'encoded a segment')
    await clearFailure(job.directory)
    return path
  }

  /** A full disk is no property of the segment: whoever asks again looks at the disk again. */
  async #noteFailure({ job, jobId, rendition, index, path }: WantedSegment, error: unknown): Promise<void> {
    const reason = describeError(error instanceof AppError ? (error.cause ?? error) : error)
    this.#services.log.error({ jobId, rendition: rendition.id, index, reason }, 'encoding a segment failed')
    // Somebody may have taken the job away.
    this.#jobs.forget(jobId)
    if (error instanceof AppError && error.code === 'disk_space_low') return
    this.#failures.add(path, error)
    const at = this.#services.clock.now().toISOString()
    await markFailure(job.directory, { rendition: rendition.id, index, reason, at })
  }
}

/** Makes the server of segments; it opens nothing by itself. */
export function createSegmentServer(services: SegmentServices): SegmentServer {
  return new SegmentServer(services)
}

function placeOf({ jobId, job, rendition, index }: WantedSegment): Parameters<SegmentCache['ensureRoom']>[0] {
  return { jobId, rendition: job.hasLadder ? rendition.id : null, index }
}

async function isPresent(path: string): Promise<boolean> {
  // A segment that is on its way out of the cache counts as missing: it is made again.
  const found = await stat(path).catch(() => undefined)
  return found?.isFile() === true && found.size > 0
}
