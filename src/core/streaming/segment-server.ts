import { randomUUID } from 'node:crypto'
import { stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../platform/config/index.ts'
import type { Database } from '../platform/database/index.ts'
import { AppError, describeError } from '../platform/errors/index.ts'
import { freeSpaceBytes, openInsideRoot } from '../platform/files/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { MediaTools } from '../platform/media-tools/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { encodeSegment } from './encode-segment.ts'
import { EncoderSlots } from './encoder-slots.ts'
import { streamingErrors } from './errors.ts'
import { FailureMemory } from './failure-memory.ts'
import { makeDraftsDirectory, removeOldDrafts, transcodesDirectory } from './job-directory.ts'
import { OpenJobs, wantedRendition, type OpenJob } from './open-jobs.ts'
import { segmentCountOf } from './rendition-segments.ts'
import type { VideoRendition } from './rendition.ts'
import { ensureFreeSpace } from './segment-cache.ts'
import { segmentName } from './segment-name.ts'
import { SharedTasks } from './shared-tasks.ts'

/** `rendition` is null for a job without a ladder. */
export type SegmentRequest = Readonly<{ jobId: string; rendition: string | null; index: number }>

export type SegmentServices = {
  config: Pick<Config, 'dataDirectory' | 'options'>
  log: Logger
  clock: Clock
  db: Database
  mediaTools: Pick<MediaTools, 'encode'>
}

type WantedSegment = Readonly<{ job: OpenJob; jobId: string; rendition: VideoRendition; index: number; path: string }>

/** Numbers that tests make smaller. */
export type SegmentLimits = {
  /** Document 2, Limits: different segments that may be wanted at the same time. */
  wantedSegments: number
  /** Longer than a player's pause between giving up on a request and asking again. */
  abandonedMilliseconds: number
  failureMilliseconds: number
  /** One segment takes seconds; this only ends what hangs. */
  timeoutSeconds: number
}

const LIMITS: SegmentLimits = {
  wantedSegments: 8,
  abandonedMilliseconds: 10_000,
  failureMilliseconds: 5000,
  timeoutSeconds: 180,
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
  readonly #slots: EncoderSlots
  readonly #encodes: SharedTasks<string>
  readonly #failures: FailureMemory
  /** Marks the drafts of this process. */
  readonly #run = randomUUID()
  #cleaning: Promise<void> | undefined
  #isClosed = false

  constructor(services: SegmentServices, limits: Partial<SegmentLimits> = {}) {
    this.#services = services
    this.#limits = { ...LIMITS, ...limits }
    this.#jobs = new OpenJobs(services)
    this.#slots = new EncoderSlots(services.config.options['hls.max_concurrent_transcodes'])
    this.#encodes = new SharedTasks({ abandonedMilliseconds: this.#limits.abandonedMilliseconds })
    this.#failures = new FailureMemory(services.clock, this.#limits.failureMilliseconds)
  }

  /**
   * The absolute path of a segment, which is encoded first where it is missing. Aborting `signal` leaves the queue;
   * when nobody else waits, the encoder is stopped soon after.
   * @throws AppError `transcode_job_not_found`, `stream_file_not_found`, `segment_busy`, `disk_space_low`,
   *   `segment_failed`, `streaming_stopped`, and those of opening the source
   */
  async segment(request: SegmentRequest, signal?: AbortSignal): Promise<string> {
    if (this.#isClosed) throw streamingErrors.streaming_stopped()
    const job = await this.#jobs.get(request.jobId)
    const rendition = wantedRendition(job, request.rendition)
    if (rendition?.kind !== 'video' || request.index >= segmentCountOf(job.plan, rendition)) {
      throw streamingErrors.stream_file_not_found()
    }
    const path = join(job.directory, segmentName(request.rendition, request.index))
    if (await isPresent(path)) return path
    this.#failures.throwRecent(path)
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
    try {
      return await openInsideRoot(root, path)
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'file_not_found')) throw error
      // It was swept out of the cache in between.
      return openInsideRoot(root, await this.segment(request, signal))
    }
  }

  /**
   * Stops all encoders and waits until they have ended; whoever waits for a segment gets `streaming_stopped`.
   * Idempotent.
   */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#encodes.stopAll(streamingErrors.streaming_stopped())
    await this.#cleaning
  }

  #refuseTooMany(path: string): void {
    if (this.#encodes.has(path) || this.#encodes.wantedCount < this.#limits.wantedSegments) return
    throw streamingErrors.segment_busy({ retryAfterSeconds: BUSY_RETRY_SECONDS })
  }

  async #encode(wanted: WantedSegment, stop: AbortSignal): Promise<string> {
    if (this.#slots.isFull) this.#encodes.stopAbandoned()
    try {
      return await this.#slots.run(() => this.#encodeNow(wanted, stop), stop)
    } catch (error) {
      if (!stop.aborted) this.#noteFailure(wanted, error)
      throw error
    }
  }

  async #encodeNow({ job, jobId, rendition, index }: WantedSegment, stop: AbortSignal): Promise<string> {
    const { config, clock, log } = this.#services
    const began = clock.monotonicMilliseconds()
    const transcodes = transcodesDirectory(config)
    // Nobody has to wait for it: drafts of other processes are in nobody's way.
    this.#cleaning ??= this.#removeOldDrafts(transcodes)
    await ensureFreeSpace({
      directory: transcodes,
      jobId,
      floorBytes: config.options['hls.min_disk_space_bytes'],
      freeBytes: freeSpaceBytes,
    })
    const { directory, plan } = job
    const drafts = await makeDraftsDirectory(directory, this.#run)
    const timeoutSeconds = Math.min(this.#limits.timeoutSeconds, config.options['hls.transcode_timeout_seconds'])
    const work = { plan, rendition, index, directory, drafts, timeoutSeconds }
    const path = await encodeSegment(this.#services, work, stop)
    const milliseconds = Math.round(clock.monotonicMilliseconds() - began)
    log.debug({ jobId, rendition: rendition.id, index, milliseconds }, 'encoded a segment')
    return path
  }

  async #removeOldDrafts(transcodes: string): Promise<void> {
    try {
      await removeOldDrafts(transcodes, this.#run)
    } catch (error) {
      this.#services.log.warning({ reason: describeError(error) }, 'removing old drafts of segments failed')
    }
  }

  /** A full disk is no property of the segment: whoever asks again looks at the disk again. */
  #noteFailure({ jobId, rendition, index, path }: WantedSegment, error: unknown): void {
    const reason = describeError(error instanceof AppError ? (error.cause ?? error) : error)
    this.#services.log.error({ jobId, rendition: rendition.id, index, reason }, 'encoding a segment failed')
    if (!(error instanceof AppError && error.code === 'disk_space_low')) this.#failures.remember(path, error)
  }
}

/** Makes the server of segments; it opens nothing by itself. */
export function createSegmentServer(services: SegmentServices): SegmentServer {
  return new SegmentServer(services)
}

async function isPresent(path: string): Promise<boolean> {
  // A segment that is on its way out of the cache counts as missing: it is made again.
  const found = await stat(path).catch(() => undefined)
  return found?.isFile() === true && found.size > 0
}
