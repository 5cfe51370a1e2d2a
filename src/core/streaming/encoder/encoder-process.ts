import { mkdir, rm } from 'node:fs/promises'
import type { Semaphore } from '../../platform/concurrency/index.ts'
import { segmentPath, type MediaTools, type Segmenter } from '../../platform/media-tools/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import type { SegmentCache } from '../cache/segment-cache.ts'
import { listPresentSegments, folderSizeBytes } from '../job/job-directory.ts'
import type { Rendition } from '../job/rendition.ts'
import { renditionSegmentCount } from '../timeline/rendition-segments.ts'
import { segmentArguments } from './encode-arguments.ts'
import { EncoderFailure, encoderExitFailure } from './encoder-failure.ts'
import { encoderOf, type EncoderStart } from './encoder-start.ts'
import { checkStartConditions } from './start-conditions.ts'
import type { RequestedSegment } from './requested-segment.ts'

/** Encoders run at a lower priority than the database and request handling. */
const NICENESS = 5

/** An encoder this close to a segment is reused: making the segments between costs less than a new process. */
const REACH_SEGMENTS = 2

export type EncoderServices = {
  mediaTools: Pick<MediaTools, 'startSegmenter'>
  clock: Clock
  /** Each running encoder holds one permit. */
  slots: Semaphore
  cache: Pick<SegmentCache, 'ensureFreeSpace'>
  /** Called once for each started process, with its first result. */
  onStarted?: (start: EncoderStart) => void
}

export type EncoderProcessInput = Readonly<{
  /** The segment with which the encoder begins. */
  first: RequestedSegment
  /** Number of the last segment. */
  last: number
  seekMarginSeconds: number
  /** Exclusive to this encoder; created when it starts and removed with it. */
  folder: string
  /** Called each time the encoder has been suspended or has ended. This is its only message to the pool. */
  onStopped: () => void
}>

/** A complete piece, reserved for one caller. The encoder keeps its folder until the caller disposes of the reservation. */
export type ReservedSegment = Disposable & Readonly<{ path: string }>

/**
 * State of an encoder:
 * - idle: not started, or suspended by SIGSTOP; uses memory but no processor time.
 * - waiting: for an encoder slot.
 * - running: at least one caller waits for a segment.
 * - ended: the process has exited; finished pieces may remain in the folder.
 */
type EncoderState = 'idle' | 'waiting' | 'running' | 'ended'

/**
 * An encoder that makes the segments of a rendition one after the other, but only while a caller waits for a segment. It is suspended as soon as
 * the last requested piece is complete, and resumes with the next request. Playback without seeking therefore needs one run of ffmpeg, and
 * segments without a request are not encoded.
 */
export class EncoderProcess {
  readonly input: EncoderProcessInput
  readonly #services: EncoderServices
  /** Complete pieces that have not been taken. */
  readonly #pieces = new Set<number>()
  /** Callers that wait for a piece, by its number. */
  readonly #requests = new Map<number, PromiseWithResolvers<void>>()
  /** A promise for each caller that waits for a piece or has reserved a piece; it resolves when the caller has finished. */
  readonly #pendingTakes = new Set<Promise<void>>()
  #last: number
  /** The first piece that is not complete yet. */
  #next: number
  #state: EncoderState = 'idle'
  #process: Segmenter | undefined
  /** Aborts the wait for a slot. */
  #slotWait = new AbortController()
  /** Releases the held slot. */
  #releasePermit: (() => void) | undefined
  #isDisposed = false
  #isReported = false
  #sequentialTakes = 0
  #lastTaken = -1
  #usedAt: number
  /** Time spent running, up to `#runningSince`. */
  #ranMilliseconds = 0
  #runningSince = 0
  #progress = { bytes: 0, at: 0 }

  constructor(services: EncoderServices, input: EncoderProcessInput) {
    this.#services = services
    this.input = input
    this.#last = input.last
    this.#next = input.first.index
    this.#usedAt = services.clock.monotonicMilliseconds()
  }

  get isWanted(): boolean {
    return this.#pendingTakes.size > 0
  }

  /** Whether the encoder makes exactly one segment. */
  get isSingle(): boolean {
    return this.input.first.index === this.input.last
  }

  /** Whether there is, or will be, a process. */
  get isLive(): boolean {
    return this.#state !== 'ended' && !this.#isDisposed
  }

  /** Whether the process is suspended and keeps its memory. */
  get isSuspended(): boolean {
    return this.#state === 'idle' && this.#process !== undefined
  }

  /** Whether the encoder has no waiting callers, no untaken pieces and nothing left to make. */
  get isFinished(): boolean {
    return !this.isWanted && this.#pieces.size === 0 && (this.#state === 'ended' || this.#next > this.#last)
  }

  /** Whether consecutive segments were requested, as players do. */
  get isSequential(): boolean {
    return this.#sequentialTakes > 0
  }

  get usedAt(): number {
    return this.#usedAt
  }

  /** The first segment that has not been made yet. */
  get next(): number {
    return this.#next
  }

  /** Whether a piece is complete and not taken. */
  hasPiece(index: number): boolean {
    return !this.#isDisposed && this.#pieces.has(index)
  }

  /** Whether a piece is among the pieces that the encoder makes next. */
  reaches(index: number): boolean {
    return this.isLive && index >= this.#next && index < this.#next + REACH_SEGMENTS && index <= this.#last
  }

  /**
   * Waits for a piece that the encoder has or reaches, and reserves it for the caller. The encoder runs while a caller waits. Aborting
   * `signal` withdraws the request.
   * @throws EncoderFailure; the errors of `checkStartConditions`; AppError `tool_missing`; the signal's reason
   */
  async take(index: number, signal: AbortSignal): Promise<ReservedSegment> {
    signal.throwIfAborted()
    const { clock } = this.#services
    this.#usedAt = clock.monotonicMilliseconds()
    if (index === this.#lastTaken + 1) this.#sequentialTakes += 1
    this.#lastTaken = index
    const { promise: pendingTake, resolve } = Promise.withResolvers<void>()
    this.#pendingTakes.add(pendingTake)
    const release = (): void => {
      this.#pendingTakes.delete(pendingTake)
      this.#usedAt = clock.monotonicMilliseconds()
      resolve()
    }
    try {
      if (!this.#pieces.delete(index)) await this.#waitFor(index, signal)
    } catch (error) {
      release()
      throw error
    }
    return { path: segmentPath(this.input.folder, index), [Symbol.dispose]: release }
  }

  async #waitFor(index: number, signal: AbortSignal): Promise<void> {
    const request = Promise.withResolvers<void>()
    this.#requests.set(index, request)
    const withdraw = (): void => {
      this.#requests.delete(index)
      request.reject(signal.reason as Error)
      this.#matchDemand()
    }
    signal.addEventListener('abort', withdraw, { once: true })
    this.#matchDemand()
    try {
      await request.promise
    } finally {
      signal.removeEventListener('abort', withdraw)
    }
  }

  /** Returns the fault that ffmpeg has reported so far, as a failure. */
  reportedFailure(): EncoderFailure | undefined {
    const fault = this.#process?.fault() ?? null
    return fault === null ? undefined : new EncoderFailure(fault.text, { isDiskFull: fault.kind === 'disk_full' })
  }

  /** Ends an encoder that has exceeded its total running time, or has written nothing for too long. */
  async watch(limits: { runningMilliseconds: number; stalledMilliseconds: number }): Promise<void> {
    if (this.#state !== 'running') return
    const bytes = await folderSizeBytes(this.input.folder)
    const now = this.#services.clock.monotonicMilliseconds()
    if (bytes !== this.#progress.bytes) this.#progress = { bytes, at: now }
    const stalled = now - Math.max(this.#progress.at, this.#runningSince)
    const ran = this.#ranMilliseconds + now - this.#runningSince
    if (stalled > limits.stalledMilliseconds) this.#kill(new EncoderFailure('ffmpeg wrote nothing for too long'))
    else if (ran > limits.runningMilliseconds) this.#kill(new EncoderFailure('ffmpeg ran too long'))
  }

  /** Ends the process and, after the last reservation, removes its folder. Idempotent; never rejects. */
  async dispose(reason: Error = new EncoderFailure('the encoder was ended')): Promise<void> {
    this.#isDisposed = true
    this.#kill(reason)
    await this.#process?.ended.catch(() => {})
    await Promise.all(this.#pendingTakes)
    await rm(this.input.folder, { recursive: true, force: true }).catch(() => {})
  }

  /** Starts, resumes or suspends the process, or ends its wait for a slot, according to the waiting callers. */
  #matchDemand(): void {
    const isRequested = this.#requests.size > 0
    if (isRequested && this.#state === 'idle') void this.#acquireSlot()
    else if (!isRequested && this.#state === 'running') this.#suspend()
    else if (!isRequested && this.#state === 'waiting') this.#slotWait.abort(new Error('no caller waits any more'))
  }

  async #acquireSlot(): Promise<void> {
    const { cache, slots } = this.#services
    this.#state = 'waiting'
    this.#slotWait = new AbortController()
    try {
      await checkStartConditions(cache, this.input.first)
      await this.#endBeforeExisting()
      const releasePermit = await slots.acquire(this.#slotWait.signal)
      if (this.#slotWait.signal.aborted || this.#requests.size === 0 || !this.isLive) releasePermit()
      else return await this.#startOrResume(releasePermit)
    } catch (error) {
      if (!this.#slotWait.signal.aborted) this.#rejectRequests(error as Error)
    }
    if (this.#state !== 'waiting') return
    this.#state = 'idle'
    this.#matchDemand()
    this.input.onStopped()
  }

  /**
   * Ends the range before the next segment that already exists, so that no segment is made twice. Segments with waiting callers are still
   * made.
   */
  async #endBeforeExisting(): Promise<void> {
    if (this.isSingle) return
    const { job, rendition } = this.input.first
    const present = await listPresentSegments(job.directory, job.hasLadder ? rendition.id : null)
    const following = present.filter((index) => index > this.#next)
    if (following.length === 0) return
    this.#last = Math.max(Math.min(this.#last, Math.min(...following) - 1), ...this.#requests.keys())
  }

  async #startOrResume(releasePermit: () => void): Promise<void> {
    this.#releasePermit = releasePermit
    this.#state = 'running'
    this.#runningSince = this.#services.clock.monotonicMilliseconds()
    if (this.#process !== undefined) {
      this.#process.resume()
      return
    }
    try {
      // The folder is not created recursively: the directory of a cancelled job must not be created again.
      await mkdir(this.input.folder, { mode: 0o700 })
    } catch (error) {
      this.#end(error as Error)
      return
    }
    if (this.#state !== 'running') return
    this.#start()
    this.#matchDemand()
  }

  #start(): void {
    const { first, folder, seekMarginSeconds } = this.input
    const { rendition } = first
    const job = first.job.plan
    const range = { first: first.index, last: this.#last }
    const process = this.#services.mediaTools.startSegmenter(
      { input: job.source.path, folder, ...segmentArguments({ job, rendition, range, seekMarginSeconds }) },
      { niceness: NICENESS, onSegment: (number) => this.#onSegment(number) },
    )
    this.#process = process
    process.ended.then(
      (end) => this.#end(encoderExitFailure(end)),
      (error: unknown) => this.#end(error as Error),
    )
  }

  /**
   * Records a complete piece. A copied piece is complete only when the next one is: frames may be missing at its end, and only the next
   * key frame shows that the file continues. The last piece ends with the file.
   */
  #onSegment(reported: number): void {
    const { job, rendition } = this.input.first
    const isLast = this.#last === renditionSegmentCount(job.plan, rendition) - 1
    const index = isCopied(rendition) && !isLast ? reported - 1 : reported
    if (index < this.#next || index > this.#last || this.#isDisposed) return
    this.#report('made')
    this.#next = index + 1
    const request = this.#requests.get(index)
    if (request === undefined) this.#pieces.add(index)
    this.#requests.delete(index)
    request?.resolve()
    this.#matchDemand()
  }

  #suspend(): void {
    this.#process?.pause()
    this.#state = 'idle'
    this.#releaseSlot()
    this.input.onStopped()
  }

  #releaseSlot(): void {
    this.#ranMilliseconds += this.#services.clock.monotonicMilliseconds() - this.#runningSince
    this.#releasePermit?.()
    this.#releasePermit = undefined
  }

  #kill(reason: Error): void {
    this.#process?.kill()
    this.#end(reason)
  }

  #end(reason: Error): void {
    this.#report(this.#isDisposed ? 'abandoned' : 'failed')
    if (this.#state === 'running') this.#releaseSlot()
    this.#state = 'ended'
    this.#slotWait.abort(reason)
    this.#rejectRequests(reason)
    this.input.onStopped()
  }

  #report(result: EncoderStart['result']): void {
    if (this.#process === undefined || this.#isReported) return
    this.#isReported = true
    this.#services.onStarted?.({ encoder: encoderOf(this.input.first.rendition), result })
  }

  #rejectRequests(reason: Error): void {
    const requests = [...this.#requests.values()]
    this.#requests.clear()
    for (const request of requests) request.reject(reason)
  }
}

function isCopied(rendition: Rendition): boolean {
  return rendition.kind === 'video' && rendition.isCopy
}
