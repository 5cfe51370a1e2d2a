import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import { AppError, describeError } from '../../platform/errors/index.ts'
import { diskFullError } from '../cache/segment-cache.ts'
import { streamingErrors } from '../errors.ts'
import { encoderFolderName, hasJobDirectory } from '../job/job-directory.ts'
import { renditionSegmentCount } from '../timeline/rendition-segments.ts'
import { isCausedByFullDisk } from './encoder-failure.ts'
import { EncoderProcess, type EncoderServices } from './encoder-process.ts'
import { publishSegment } from './publish-segment.ts'
import type { RequestedSegment } from './requested-segment.ts'

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

/**
 * The encoders of all jobs. A request is served by the encoder that has the segment or is close to it, otherwise by a new encoder. A single
 * request at another position never ends the encoder of a player.
 */
export class EncoderPool {
  readonly #services: EncoderServices
  readonly #limits: EncoderPoolLimits
  /** Key: job and rendition. */
  readonly #encoders = new Map<string, Set<EncoderProcess>>()
  readonly #disposals = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(services: EncoderServices, limits: EncoderPoolLimits) {
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
   * `streaming_stopped` when the pool is closed, and the errors of opening the source; the signal's reason when aborted
   */
  async make(wanted: RequestedSegment, signal: AbortSignal): Promise<void> {
    const fault = await this.#makeBy(this.#encoderFor(wanted), wanted, signal)
    if (fault === undefined) return
    const secondFault = await this.#makeBy(this.#openWithWideMargin(wanted), wanted, signal)
    if (secondFault === undefined) return
    throw streamingErrors.segment_failed({ cause: new Error(`${fault}; ${secondFault}`) })
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

  /** @returns undefined on success; otherwise a description of the failure, after which the encoder is ended */
  async #makeBy(encoder: EncoderProcess, wanted: RequestedSegment, signal: AbortSignal): Promise<string | undefined> {
    try {
      using piece = await encoder.take(wanted.index, signal)
      await publishSegment(wanted, piece.path, encoder)
      return undefined
    } catch (error) {
      if (signal.aborted || error instanceof AppError) throw error
      // Checked before the encoder is disposed of, because disposal frees disk space.
      const isFull = await isCausedByFullDisk(error, wanted.job.directory)
      void this.#dispose(encoder)
      if (isFull) throw diskFullError(error)
      return describeError(error)
    } finally {
      this.#disposeUnneeded()
    }
  }

  /** Returns the encoder that has the segment or makes it soon, otherwise a new encoder. */
  #encoderFor(wanted: RequestedSegment): EncoderProcess {
    const { index, rendition, job } = wanted
    const encoders = [...(this.#encoders.get(keyOf(wanted)) ?? [])]
    const near =
      encoders.find((encoder) => encoder.hasPiece(index)) ??
      nearest(encoders.filter((encoder) => encoder.reaches(index)))
    if (near !== undefined) return near
    const isCopy = rendition.kind === 'video' && rendition.isCopy
    const margin = job.plan.source.seekMarginSeconds
    if (isCopy || !this.#hasCapacity(encoders)) return this.#open(wanted, { last: index, margin })
    const end = renditionSegmentCount(job.plan, rendition) - 1
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

  #openWithWideMargin(wanted: RequestedSegment): EncoderProcess {
    return this.#open(wanted, { last: wanted.index, margin: WIDE_SEEK_MARGIN_SECONDS })
  }

  #open(wanted: RequestedSegment, { last, margin }: { last: number; margin: number }): EncoderProcess {
    if (this.#isClosed) throw streamingErrors.streaming_stopped()
    const encoder = new EncoderProcess(this.#services, {
      first: wanted,
      last,
      seekMarginSeconds: margin,
      folder: join(wanted.job.directory, encoderFolderName(randomUUID())),
      onStopped: () => this.#disposeUnneeded(),
    })
    const key = keyOf(wanted)
    this.#encoders.set(key, (this.#encoders.get(key) ?? new Set()).add(encoder))
    this.#timer ??= setInterval(() => void this.#watch(), WATCH_MILLISECONDS).unref()
    return encoder
  }

  /** Disposes of finished encoders, and of suspended encoders above the limit. It is called after every change, because it is cheap. */
  #disposeUnneeded(): void {
    for (const encoder of this.#all()) if (encoder.isFinished) void this.#dispose(encoder)
    let capacity = this.#limits.suspendedEncoders
    for (const encoder of this.#all().toSorted((a, b) => b.usedAt - a.usedAt)) {
      if (!encoder.isSuspended || encoder.isWanted) continue
      capacity -= weightOf(encoder)
      if (capacity < 0) void this.#dispose(encoder)
    }
  }

  async #watch(): Promise<void> {
    const { idleMilliseconds, stalledMilliseconds, runningMilliseconds } = this.#limits
    const now = this.#services.clock.monotonicMilliseconds()
    for (const encoder of this.#all()) {
      // Another process may have cancelled the job. An encoder that waits for a slot would notice only after it gets the slot.
      if (!(await hasJobDirectory(dirname(encoder.input.folder))))
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
    const disposal = encoder.dispose(this.#isClosed ? streamingErrors.streaming_stopped() : reason)
    this.#disposals.add(disposal)
    await disposal
    this.#disposals.delete(disposal)
  }

  #all(): EncoderProcess[] {
    return [...this.#encoders.values()].flatMap((encoders) => Array.from(encoders))
  }
}

function keyOf({ jobId, rendition }: RequestedSegment): string {
  return `${jobId}/${rendition.id}`
}

/** Returns the encoder with the fewest segments to make before the requested one. */
function nearest(encoders: readonly EncoderProcess[]): EncoderProcess | undefined {
  return encoders.toSorted((a, b) => b.next - a.next)[0]
}

function byUsefulness(a: EncoderProcess, b: EncoderProcess): number {
  return Number(a.isSequential) - Number(b.isSequential) || a.usedAt - b.usedAt
}

function weightOf({ input }: EncoderProcess): number {
  const { rendition } = input.first
  return rendition.kind === 'video' && rendition.height > 1080 ? 2 : 1
}
