import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import { AppError, describeError, systemErrorCode } from '../../platform/errors/index.ts'
import { freeSpaceBytes, openInsideRoot } from '../../platform/files/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { EncoderProcess, EncoderFailure, type EncoderServices } from './encoder-process.ts'
import { streamingErrors } from '../errors.ts'
import { hasDirectory, encoderFolder, presentSegments } from '../job/job-directory.ts'
import type { OpenJob } from '../cache/open-jobs.ts'
import { publishSegment } from './publish-segment.ts'
import { segmentCountOf } from '../timeline/rendition-segments.ts'
import type { Rendition } from '../job/rendition.ts'
import { diskSpaceLow } from '../cache/segment-cache.ts'

/** A requested segment, and its path in the cache. */
export type WantedSegment = Readonly<{
  job: OpenJob
  jobId: string
  rendition: Rendition
  index: number
  path: string
}>

/** Limits that tests reduce. */
export type EncoderPoolLimits = {
  /** Encoders of one rendition of one job: enough for two viewers at different positions. */
  encodersPerRendition: number
  /** Suspended processes of all jobs. Each holds up to a few hundred megabytes. Video above 1080 lines counts twice. */
  suspendedEncoders: number
  /** An encoder without requests for this time is ended. */
  idleMilliseconds: number
  /** A running encoder that writes nothing for this time is ended. */
  stalledMilliseconds: number
  /** Total running time of one encoder, pauses excluded. */
  runningMilliseconds: number
}

/** Seek margin of the second attempt: some files have no index or wrong key frame flags. */
const WIDE_SEEK_MARGIN_SECONDS = 60

/** An encoder ends after an hour of film: its cuts are arguments of a command line, whose length is limited. */
const MAX_RUN_SEGMENTS = 600

const WATCH_MILLISECONDS = 1000

/** Less space than any segment needs. */
const NO_SPACE_BYTES = 1024 * 1024

const DISK_FULL = new Set(['ENOSPC', 'EDQUOT'])

type Services = EncoderServices & {
  clock: Clock
  /** Rejects if the disk has too little space for a segment in this directory. */
  ensureFreeSpace: (wanted: WantedSegment) => Promise<void>
}

/**
 * The encoders of all jobs. A request is served by the encoder that holds the segment or is close to it, otherwise by a new one. A single
 * request at another position never ends the encoder of a player.
 */
export class EncoderPool {
  readonly #services: Services
  readonly #limits: EncoderPoolLimits
  /** Key: job and rendition. */
  readonly #encoders = new Map<string, Set<EncoderProcess>>()
  readonly #disposals = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(services: Services, limits: EncoderPoolLimits) {
    this.#services = services
    this.#limits = limits
  }

  /** The number of processes, and how many of them are suspended. */
  get counts(): { encoders: number; suspended: number } {
    const all = this.#all().filter((encoder) => encoder.isLive)
    return { encoders: all.length, suspended: all.filter((encoder) => encoder.isSuspended).length }
  }

  /**
   * Makes a segment and moves it to its path. After a failure, a separate process that starts reading earlier makes a second attempt.
   * @throws AppError `segment_failed`, `disk_space_low`, `tool_missing`, `transcode_job_not_found` if the job was cancelled meanwhile,
   * and the errors of opening the source; the signal's reason when aborted
   */
  async make(wanted: WantedSegment, signal: AbortSignal): Promise<void> {
    const faults: string[] = []
    for (const open of [() => this.#encoderFor(wanted), () => this.#openWithWideMargin(wanted)]) {
      const fault = await this.#makeBy(open(), wanted, signal)
      if (fault === undefined) return
      faults.push(fault)
    }
    throw streamingErrors.segment_failed({ cause: new Error(faults.join('; ')) })
  }

  /** Ends the encoders of a removed job. Waiting callers get `transcode_job_not_found`. */
  async endJob(jobId: string): Promise<void> {
    const keys = [...this.#encoders.keys()].filter((key) => key.startsWith(`${jobId}/`))
    const encoders = keys.flatMap((key) => Array.from(this.#encoders.get(key) ?? []))
    await Promise.all(encoders.map((encoder) => this.#dispose(encoder, streamingErrors.transcode_job_not_found())))
  }

  /** Ends all encoders and waits until they have ended. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    for (const encoder of this.#all()) void this.#dispose(encoder)
    await Promise.all(this.#disposals)
  }

  /** Returns undefined on success, otherwise the description of the fault. */
  async #makeBy(encoder: EncoderProcess, wanted: WantedSegment, signal: AbortSignal): Promise<string | undefined> {
    const { job, rendition, index, path } = wanted
    const approve = (): void => {
      const reportedFailure = encoder.reportedFailure()
      if (reportedFailure !== undefined) throw reportedFailure
    }
    try {
      const fault = await encoder.take(index, signal, (piece) =>
        publishSegment({ job: job.plan, rendition, index, piece, target: path, approve }),
      )
      if (fault === undefined) return undefined
      // ffmpeg's own message is more specific.
      approve()
      throw new EncoderFailure(`segment ${index}: ${fault}`)
    } catch (error) {
      if (signal.aborted || error instanceof AppError) throw error
      // Checked before the encoder is disposed of, because disposal frees disk space.
      const isFull = isDiskFull(error) || (await hasNoSpace(job.directory))
      void this.#dispose(encoder)
      if (isFull) throw diskSpaceLow(error)
      return describeError(error)
    } finally {
      this.#disposeUnneeded()
    }
  }

  #encoderFor(wanted: WantedSegment): EncoderProcess {
    const { index, rendition, job } = wanted
    const encoders = [...(this.#encoders.get(keyOf(wanted)) ?? [])]
    const near =
      encoders.find((encoder) => encoder.holds(index)) ?? nearest(encoders.filter((encoder) => encoder.reaches(index)))
    if (near !== undefined) return near
    const isCopy = rendition.kind === 'video' && rendition.isCopy
    const margin = job.plan.source.seekMarginSeconds
    if (isCopy || !this.#hasCapacity(encoders)) return this.#open(wanted, { last: index, margin })
    const end = segmentCountOf(job.plan, rendition) - 1
    return this.#open(wanted, { last: Math.min(end, index + MAX_RUN_SEGMENTS - 1), margin })
  }

  /**
   * Returns whether the rendition may have one more encoder. If the limit is reached, the least useful encoder without waiting callers is
   * ended: encoders with a single request first, then the least recently used.
   */
  #hasCapacity(encoders: readonly EncoderProcess[]): boolean {
    const continuing = encoders.filter((encoder) => encoder.isLive && !encoder.isSingle)
    if (continuing.length < this.#limits.encodersPerRendition) return true
    const [leastUseful] = continuing.filter((encoder) => !encoder.isWanted).toSorted(byUsefulness)
    if (leastUseful === undefined) return false
    void this.#dispose(leastUseful)
    return true
  }

  #openWithWideMargin(wanted: WantedSegment): EncoderProcess {
    return this.#open(wanted, { last: wanted.index, margin: WIDE_SEEK_MARGIN_SECONDS })
  }

  #open(wanted: WantedSegment, { last, margin }: { last: number; margin: number }): EncoderProcess {
    const { job, rendition, index, jobId } = wanted
    const admit = async (): Promise<void> => {
      if (this.#isClosed) throw streamingErrors.streaming_stopped()
      if (!(await hasDirectory(job.directory))) throw streamingErrors.transcode_job_not_found()
      // Opened only to verify that the path still leads to a file of the library.
      await (await openInsideRoot(job.plan.source.root, job.plan.source.path)).close()
      await this.#services.ensureFreeSpace(wanted)
      await this.#endBeforeExisting(encoder, wanted)
    }
    const encoder = new EncoderProcess(this.#services, {
      job: job.plan,
      rendition,
      range: { first: index, last },
      seekMarginSeconds: margin,
      folder: join(job.directory, encoderFolder(randomUUID())),
      admit,
      onStopped: () => this.#disposeUnneeded(),
    })
    const key = keyOf({ jobId, rendition })
    this.#encoders.set(key, (this.#encoders.get(key) ?? new Set()).add(encoder))
    this.#timer ??= setInterval(() => void this.#watch(), WATCH_MILLISECONDS).unref()
    return encoder
  }

  /** Ends the encoder's range before the next segment that already exists, so that no segment is made twice. */
  async #endBeforeExisting(encoder: EncoderProcess, { job, rendition }: WantedSegment): Promise<void> {
    if (encoder.isSingle) return
    const id = job.hasLadder ? rendition.id : null
    const present = await presentSegments(job.directory, id)
    const following = present.filter((index) => index > encoder.next)
    if (following.length > 0) encoder.endBefore(Math.min(...following))
  }

  /** Disposes of finished encoders, and of the suspended ones above the limit. Cheap: called after every change. */
  #disposeUnneeded(): void {
    for (const encoder of this.#all()) if (encoder.isFinished) void this.#dispose(encoder)
    let room = this.#limits.suspendedEncoders
    for (const encoder of this.#all().toSorted((a, b) => b.usedAt - a.usedAt)) {
      if (!encoder.isSuspended || encoder.isWanted) continue
      room -= weightOf(encoder)
      if (room < 0) void this.#dispose(encoder)
    }
  }

  async #watch(): Promise<void> {
    const { idleMilliseconds, stalledMilliseconds, runningMilliseconds } = this.#limits
    const now = this.#services.clock.monotonicMilliseconds()
    for (const encoder of this.#all()) {
      // Another process may have cancelled the job. An encoder that waits for a slot would notice only after it gets the slot.
      if (!(await hasDirectory(dirname(encoder.input.folder))))
        void this.#dispose(encoder, streamingErrors.transcode_job_not_found())
      else if (!encoder.isWanted && now - encoder.usedAt > idleMilliseconds) void this.#dispose(encoder)
      else await encoder.watch({ stalledMilliseconds, runningMilliseconds })
    }
    if (this.#encoders.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  async #dispose(encoder: EncoderProcess, reason?: Error): Promise<void> {
    for (const [key, encoders] of this.#encoders) {
      encoders.delete(encoder)
      if (encoders.size === 0) this.#encoders.delete(key)
    }
    const left = encoder.dispose(this.#isClosed ? streamingErrors.streaming_stopped() : reason)
    this.#disposals.add(left)
    await left
    this.#disposals.delete(left)
  }

  #all(): EncoderProcess[] {
    return [...this.#encoders.values()].flatMap((encoders) => Array.from(encoders))
  }
}

function keyOf({ jobId, rendition }: Pick<WantedSegment, 'jobId' | 'rendition'>): string {
  return `${jobId}/${rendition.id}`
}

/** Reported by ffmpeg, or by a system call of this process. */
function isDiskFull(error: unknown): boolean {
  return error instanceof EncoderFailure ? error.isDiskFull : DISK_FULL.has(systemErrorCode(error) ?? '')
}

/** ffmpeg does not always report why a write failed. */
async function hasNoSpace(directory: string): Promise<boolean> {
  const free = await freeSpaceBytes(directory).catch(() => Number.POSITIVE_INFINITY)
  return free < NO_SPACE_BYTES
}

/** Returns the encoder with the fewest segments to make before the requested one. */
function nearest(encoders: readonly EncoderProcess[]): EncoderProcess | undefined {
  return encoders.toSorted((a, b) => b.next - a.next)[0]
}

function byUsefulness(a: EncoderProcess, b: EncoderProcess): number {
  return Number(a.isSequential) - Number(b.isSequential) || a.usedAt - b.usedAt
}

function weightOf({ input: { rendition } }: EncoderProcess): number {
  return rendition.kind === 'video' && rendition.height > 1080 ? 2 : 1
}
