import type { EventEmitter } from 'node:events'
import { stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../platform/config/index.ts'
import type { Database } from '../../platform/database/index.ts'
import { AppError, describeError } from '../../platform/errors/index.ts'
import { freeSpaceBytes, openInsideRoot } from '../../platform/files/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { MediaTools } from '../../platform/media-tools/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import type { EncoderStart } from '../encoder/encoder-start.ts'
import { EncoderPool, type EncoderPoolLimits } from '../encoder/encoder-pool.ts'
import type { RequestedSegment } from '../encoder/requested-segment.ts'
import { FailureCache } from '../../platform/cache/index.ts'
import { Semaphore } from '../../platform/concurrency/index.ts'
import { streamingErrors } from '../errors.ts'
import { clearSegmentFailure, markSegmentFailure } from './failure-marker.ts'
import { hasJobDirectory, transcodesDirectory } from '../job/job-directory.ts'
import { OpenJobs, renditionOfFileName } from '../cache/open-jobs.ts'
import { renditionSegmentCount } from '../timeline/rendition-segments.ts'
import { SegmentCache } from '../cache/segment-cache.ts'
import { segmentName } from '../job/segment-name.ts'
import { SharedTasks } from './shared-tasks.ts'

/** A segment that was encoded or copied, or that could not be made. */
export type SegmentResult = Readonly<{ kind: 'video' | 'audio' | 'copy'; isMade: boolean; milliseconds: number }>

/** `rendition` is null for a job without a ladder. */
export type SegmentRequest = Readonly<{ jobId: string; rendition: string | null; index: number }>

export type SegmentServices = {
  config: Pick<Config, 'dataDirectory' | 'options'>
  log: Logger
  clock: Clock
  db: Database
  mediaTools: Pick<MediaTools, 'startSegmenter'>
}

/** Limits that tests reduce. */
export type SegmentLimits = Omit<EncoderPoolLimits, 'runningMilliseconds'> & {
  /** Number of different segments that may be requested at the same time. */
  wantedSegments: number
  /** Longer than a player's pause between abandoning a request and repeating it. */
  abandonedMilliseconds: number
  failureMilliseconds: number
}

const LIMITS: SegmentLimits = {
  wantedSegments: 8,
  abandonedMilliseconds: 10_000,
  failureMilliseconds: 5000,
  encodersPerRendition: 2,
  suspendedEncoders: 4,
  idleMilliseconds: 60_000,
  stalledMilliseconds: 60_000,
}

const BUSY_RETRY_SECONDS = 2

/**
 * Makes the segments of transcode jobs on demand, each once, a limited number at the same time. It starts no process and opens no file
 * before the first request.
 */
export class SegmentServer {
  readonly #services: SegmentServices
  readonly #limits: SegmentLimits
  readonly #jobs: OpenJobs
  readonly #slots: Semaphore
  readonly #encoders: EncoderPool
  readonly #encodes: SharedTasks<void>
  readonly #failures: FailureCache
  /** The segments on disk, also used by maintenance. */
  readonly cache: SegmentCache
  /** Called after each attempt to make a segment, except attempts that ended because no caller waited any longer. */
  readonly listeners = new Set<(segment: SegmentResult) => void>()
  /** Called after the first segment of each encoder, or after its end without one. */
  readonly startListeners = new Set<(start: EncoderStart) => void>()
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
      {
        ...services,
        slots: this.#slots,
        cache: this.cache,
        onStarted: (start) => {
          for (const listener of this.startListeners) listener(start)
        },
      },
      { ...this.#limits, runningMilliseconds },
    )
  }

  /** The number of segments with waiting callers, of encoders, and of suspended encoders. */
  get counts(): { wanted: number; encoders: number; suspended: number } {
    return { wanted: this.#encodes.wantedCount, ...this.#encoders.counts }
  }

  /**
   * Returns the absolute path of a segment, which is encoded first if it is missing. Aborting `signal` leaves the queue; without other
   * waiting callers the encoder is stopped soon after.
   * @throws AppError `transcode_job_not_found`, `stream_file_not_found`, `segment_busy`, `disk_space_low`, `segment_failed`,
   * `streaming_stopped`, `tool_missing`, and the errors of opening the source
   */
  async segment(request: SegmentRequest, signal?: AbortSignal): Promise<string> {
    const wanted = await this.#find(request)
    await this.#ensurePresent(wanted, signal)
    return wanted.path
  }

  /**
   * Opens a segment for reading; the caller closes the handle.
   * @throws AppError as `segment` does, and `path_outside_root` if a link leads out of the cache
   */
  async open(request: SegmentRequest, signal?: AbortSignal): Promise<FileHandle> {
    const wanted = await this.#find(request)
    await this.#ensurePresent(wanted, signal)
    // From this call on this process does not evict the segment.
    const release = this.cache.read(wanted.path)
    try {
      const handle = await this.#openFile(wanted, signal)
      ;(handle as unknown as EventEmitter).once('close', release)
      return handle
    } catch (error) {
      release()
      throw error
    }
  }

  /** Ends the encoders of a job and evicts it from the cache. */
  async endJob(jobId: string): Promise<void> {
    this.#jobs.evict(jobId)
    await this.#encoders.endJob(jobId)
  }

  /** Stops all encoders and waits until they have ended. Waiting callers get `streaming_stopped`. Idempotent. */
  async close(): Promise<void> {
    this.#isClosed = true
    const stopped = this.#encodes.stopAll(streamingErrors.streaming_stopped())
    await this.#encoders.close()
    await stopped
  }

  /**
   * The requested segment, which need not exist yet.
   * @throws AppError `transcode_job_not_found`, `stream_file_not_found`, `streaming_stopped`
   */
  async #find({ jobId, rendition: id, index }: SegmentRequest): Promise<RequestedSegment> {
    this.#throwIfClosed()
    const job = await this.#jobs.get(jobId)
    const rendition = renditionOfFileName(job, id)
    if (rendition === undefined || index >= renditionSegmentCount(job.plan, rendition)) {
      throw streamingErrors.stream_file_not_found()
    }
    return { job, jobId, rendition, index, path: join(job.directory, segmentName(id, index)) }
  }

  /** Returns at once if the segment exists, otherwise when it has been encoded. */
  async #ensurePresent(wanted: RequestedSegment, signal: AbortSignal | undefined): Promise<void> {
    const { job, jobId, path } = wanted
    if (await isPresent(path)) return
    if (!(await hasJobDirectory(job.directory))) throw this.#cancelled(jobId)
    this.#throwIfClosed()
    this.#failures.throwIfFailed(path)
    this.#refuseTooMany(path)
    await this.#encodes.join(path, (stop) => this.#encode(wanted, stop), signal)
  }

  async #openFile(wanted: RequestedSegment, signal: AbortSignal | undefined): Promise<FileHandle> {
    const root = transcodesDirectory(this.#services.config)
    try {
      return await openInsideRoot(root, wanted.path)
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'file_not_found')) throw error
    }
    // The segment was evicted after it had been found or made.
    await this.#ensurePresent(wanted, signal)
    return openInsideRoot(root, wanted.path)
  }

  /** Evicts a cached job that another process has cancelled. */
  #cancelled(jobId: string): Error {
    this.#jobs.evict(jobId)
    return streamingErrors.transcode_job_not_found()
  }

  #throwIfClosed(): void {
    if (this.#isClosed) throw streamingErrors.streaming_stopped()
  }

  #refuseTooMany(path: string): void {
    if (this.#encodes.has(path) || this.#encodes.wantedCount < this.#limits.wantedSegments) return
    throw streamingErrors.segment_busy({ retryAfterSeconds: BUSY_RETRY_SECONDS })
  }

  async #encode(wanted: RequestedSegment, stop: AbortSignal): Promise<void> {
    const { clock, log } = this.#services
    const began = clock.monotonicMilliseconds()
    if (this.#slots.isFull) this.#encodes.stopAbandoned()
    try {
      await this.#encoders.make(wanted, stop)
    } catch (error) {
      // If the job has been cancelled, the error is only a consequence of that.
      if (!(await hasJobDirectory(wanted.job.directory))) throw this.#cancelled(wanted.jobId)
      if (!stop.aborted) {
        this.#report(wanted, { isMade: false, milliseconds: clock.monotonicMilliseconds() - began })
        await this.#noteFailure(wanted, error)
      }
      throw error
    }
    const { jobId, rendition, index, job } = wanted
    const milliseconds = Math.round(clock.monotonicMilliseconds() - began)
    this.#report(wanted, { isMade: true, milliseconds })
    log.debug({ jobId, rendition: rendition.id, index, milliseconds }, 'encoded a segment')
    await clearSegmentFailure(job.directory)
  }

  #report({ rendition }: RequestedSegment, result: Omit<SegmentResult, 'kind'>): void {
    const kind = rendition.kind === 'video' && rendition.isCopy ? 'copy' : rendition.kind
    for (const listener of this.listeners) listener({ kind, ...result })
  }

  /** Records a failure. A full disk is not a property of the segment, so it is not cached and the next request checks the disk again. */
  async #noteFailure({ job, jobId, rendition, index, path }: RequestedSegment, error: unknown): Promise<void> {
    const reason = describeError(error instanceof AppError ? (error.cause ?? error) : error)
    this.#services.log.error({ jobId, rendition: rendition.id, index, reason }, 'encoding a segment failed')
    // The job may have been removed.
    this.#jobs.evict(jobId)
    if (error instanceof AppError && error.code === 'disk_space_low') return
    this.#failures.add(path, error)
    const at = this.#services.clock.now().toISOString()
    await markSegmentFailure(job.directory, { rendition: rendition.id, index, reason, at })
  }
}

/** Creates the segment server. It opens no files. */
export function createSegmentServer(services: SegmentServices): SegmentServer {
  return new SegmentServer(services)
}

async function isPresent(path: string): Promise<boolean> {
  // A segment that is being evicted counts as missing and is made again.
  const stats = await stat(path).catch(() => undefined)
  return stats?.isFile() === true && stats.size > 0
}
