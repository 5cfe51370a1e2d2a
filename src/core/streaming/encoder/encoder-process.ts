import { mkdir, rm } from 'node:fs/promises'
import { segmentPath, type MediaTools, type Segmenter, type SegmenterEnd } from '../../platform/media-tools/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { segmentArguments } from './encode-arguments.ts'
import type { EncodeRun } from './encode-run.ts'
import type { Semaphore } from '../../platform/concurrency/index.ts'
import { writtenBytes } from '../job/job-directory.ts'
import { segmentCountOf } from '../timeline/rendition-segments.ts'
import type { Rendition } from '../job/rendition.ts'

/** Encoders run at a lower priority than the database and request handling. */
const NICENESS = 5

/** An encoder this close to a segment is reused: making the segments between costs less than a new process. */
const REACH_SEGMENTS = 2

export type EncoderServices = {
  mediaTools: Pick<MediaTools, 'startSegmenter'>
  clock: Clock
  slots: Semaphore
}

export type EncoderProcessInput = EncodeRun &
  Readonly<{
    /** Exclusive to this encoder; created when it starts and removed with it. */
    folder: string
    /** Called each time before the encoder starts or resumes. Waiting callers get the error that it throws. */
    admit: () => Promise<void>
    /** Called each time the encoder has been suspended or has ended. */
    onStopped: () => void
  }>

/** The reason why an encoder failed to make a requested segment. */
export class EncoderFailure extends Error {
  readonly isDiskFull: boolean

  constructor(message: string, { isDiskFull = false }: { isDiskFull?: boolean } = {}) {
    super(message)
    this.isDiskFull = isDiskFull
  }
}

/**
 * State of an encoder:
 * - idle: not started, or suspended by SIGSTOP; uses memory but no processor time.
 * - waiting: for an encoder slot.
 * - running: at least one caller waits for a segment.
 * - ended: the process has exited; finished pieces may remain in the folder.
 */
type EncoderState = 'idle' | 'waiting' | 'running' | 'ended'

/**
 * One encoder that runs through the segments of a rendition, but only while a caller waits for one. It is suspended as soon as the last
 * requested piece is complete, and resumes with the next request. Watching straight through therefore costs one pass of ffmpeg, and
 * segments without a request are not encoded.
 */
export class EncoderProcess {
  readonly input: EncoderProcessInput
  readonly #services: EncoderServices
  /** Complete pieces that have not been taken. */
  readonly #pieces = new Set<number>()
  readonly #wants = new Map<number, PromiseWithResolvers<void>>()
  /** Pending `take` calls: waiting for a piece or reading one. */
  readonly #pendingTakes = new Set<Promise<unknown>>()
  #last: number
  /** The first piece that is not complete yet. */
  #next: number
  #state: EncoderState = 'idle'
  #process: Segmenter | undefined
  #leaveQueue = new AbortController()
  #giveBack: (() => void) | undefined
  #isDisposed = false
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
    this.#last = input.range.last
    this.#next = input.range.first
    this.#usedAt = services.clock.monotonicMilliseconds()
  }

  get isWanted(): boolean {
    return this.#pendingTakes.size > 0
  }

  /** Whether the encoder makes exactly one segment. */
  get isSingle(): boolean {
    return this.input.range.first === this.input.range.last
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

  holds(index: number): boolean {
    return !this.#isDisposed && this.#pieces.has(index)
  }

  reaches(index: number): boolean {
    return this.isLive && index >= this.#next && index < this.#next + REACH_SEGMENTS && index <= this.#last
  }

  /** Ends the range before `index`, because the segments from there on already exist. Segments with waiting callers are still made. */
  endBefore(index: number): void {
    this.#last = Math.max(Math.min(this.#last, index - 1), ...this.#wants.keys())
  }

  /**
   * Waits for a piece that the encoder holds or reaches, and passes its path to `use`, which must verify the piece. Aborting `signal`
   * withdraws the request.
   * @throws EncoderFailure; the errors of `admit` and `use`; AppError `tool_missing`; the signal's reason
   */
  async take<Result>(index: number, signal: AbortSignal, use: (path: string) => Promise<Result>): Promise<Result> {
    signal.throwIfAborted()
    this.#usedAt = this.#services.clock.monotonicMilliseconds()
    if (index === this.#lastTaken + 1) this.#sequentialTakes += 1
    this.#lastTaken = index
    const pendingTake = this.#serve(index, signal, use)
    this.#pendingTakes.add(pendingTake)
    try {
      return await pendingTake
    } finally {
      this.#pendingTakes.delete(pendingTake)
      this.#usedAt = this.#services.clock.monotonicMilliseconds()
    }
  }

  async #serve<Result>(index: number, signal: AbortSignal, use: (path: string) => Promise<Result>): Promise<Result> {
    if (!this.#pieces.delete(index)) await this.#waitFor(index, signal)
    return use(segmentPath(this.input.folder, index))
  }

  async #waitFor(index: number, signal: AbortSignal): Promise<void> {
    const want = Promise.withResolvers<void>()
    this.#wants.set(index, want)
    const withdraw = (): void => {
      this.#wants.delete(index)
      want.reject(signal.reason as Error)
      this.#adjust()
    }
    signal.addEventListener('abort', withdraw, { once: true })
    this.#adjust()
    try {
      await want.promise
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
    const bytes = await writtenBytes(this.input.folder)
    const now = this.#services.clock.monotonicMilliseconds()
    if (bytes !== this.#progress.bytes) this.#progress = { bytes, at: now }
    const stalled = now - Math.max(this.#progress.at, this.#runningSince)
    const ran = this.#ranMilliseconds + now - this.#runningSince
    if (stalled > limits.stalledMilliseconds) this.#fail(new EncoderFailure('ffmpeg wrote nothing for too long'))
    else if (ran > limits.runningMilliseconds) this.#fail(new EncoderFailure('ffmpeg ran too long'))
  }

  /** Ends the process and removes its folder. Idempotent; never rejects. */
  async dispose(reason: Error = new EncoderFailure('the encoder was ended')): Promise<void> {
    this.#isDisposed = true
    this.#fail(reason)
    await this.#process?.ended.catch(() => {})
    await Promise.allSettled(this.#pendingTakes)
    await rm(this.input.folder, { recursive: true, force: true }).catch(() => {})
  }

  /** Starts, suspends or dequeues the process according to the pending requests. */
  #adjust(): void {
    const isWanted = this.#wants.size > 0
    if (isWanted && this.#state === 'idle') void this.#run()
    else if (!isWanted && this.#state === 'running') this.#park()
    else if (!isWanted && this.#state === 'waiting') this.#leaveQueue.abort(new Error('no caller waits any more'))
  }

  async #run(): Promise<void> {
    this.#state = 'waiting'
    this.#leaveQueue = new AbortController()
    try {
      await this.input.admit()
      const giveBack = await this.#services.slots.acquire(this.#leaveQueue.signal)
      if (this.#leaveQueue.signal.aborted || this.#wants.size === 0 || !this.isLive) giveBack()
      else return await this.#goOn(giveBack)
    } catch (error) {
      if (!this.#leaveQueue.signal.aborted) this.#refuse(error as Error)
    }
    if (this.#state !== 'waiting') return
    this.#state = 'idle'
    this.#adjust()
    this.input.onStopped()
  }

  async #goOn(giveBack: () => void): Promise<void> {
    this.#giveBack = giveBack
    this.#state = 'running'
    this.#runningSince = this.#services.clock.monotonicMilliseconds()
    if (this.#process !== undefined) {
      this.#process.resume()
      return
    }
    try {
      // Not recursive: the directory of a cancelled job must not be created again.
      await mkdir(this.input.folder, { mode: 0o700 })
    } catch (error) {
      this.#end(error as Error)
      return
    }
    if (this.#state !== 'running') return
    this.#start()
    this.#adjust()
  }

  #start(): void {
    const { job, folder } = this.input
    const process = this.#services.mediaTools.startSegmenter(
      { input: job.source.path, folder, ...segmentArguments({ ...this.input, range: this.#range() }) },
      { niceness: NICENESS, onSegment: (number) => this.#onSegment(number) },
    )
    this.#process = process
    process.ended.then(
      (end) => this.#end(failureOf(end)),
      (error: unknown) => this.#end(error as Error),
    )
  }

  #range(): EncodeRun['range'] {
    return { first: this.input.range.first, last: this.#last }
  }

  /**
   * Records a complete piece. A copied piece is complete only when the next one is: frames may be missing at its end, and only the next
   * key frame shows that the file goes on. The last piece ends with the file.
   */
  #onSegment(reported: number): void {
    const { job, rendition } = this.input
    const isLast = this.#last === segmentCountOf(job, rendition) - 1
    const index = isCopied(rendition) && !isLast ? reported - 1 : reported
    if (index < this.#next || index > this.#last || this.#isDisposed) return
    this.#next = index + 1
    const want = this.#wants.get(index)
    if (want === undefined) this.#pieces.add(index)
    this.#wants.delete(index)
    want?.resolve()
    this.#adjust()
  }

  #park(): void {
    this.#process?.pause()
    this.#state = 'idle'
    this.#leaveSlot()
    this.input.onStopped()
  }

  #leaveSlot(): void {
    this.#ranMilliseconds += this.#services.clock.monotonicMilliseconds() - this.#runningSince
    this.#giveBack?.()
    this.#giveBack = undefined
  }

  #fail(reason: Error): void {
    this.#process?.kill()
    this.#end(reason)
  }

  #end(reason: Error): void {
    if (this.#state === 'running') this.#leaveSlot()
    this.#state = 'ended'
    this.#leaveQueue.abort(reason)
    this.#refuse(reason)
    this.input.onStopped()
  }

  #refuse(reason: Error): void {
    const wants = [...this.#wants.values()]
    this.#wants.clear()
    for (const want of wants) want.reject(reason)
  }
}

function isCopied(rendition: Rendition): boolean {
  return rendition.kind === 'video' && rendition.isCopy
}

function failureOf({ exitCode, signal, fault, stderrTail }: SegmenterEnd): EncoderFailure {
  const stderr = stderrTail.slice(-500).trim()
  const detail = fault?.text ?? (stderr === '' ? 'the segment is not whole' : stderr)
  return new EncoderFailure(`ffmpeg ended with ${exitCode ?? signal}: ${detail}`, {
    isDiskFull: fault?.kind === 'disk_full',
  })
}
