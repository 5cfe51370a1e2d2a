import { mkdir, rm } from 'node:fs/promises'
import { piecePath, type MediaTools, type Segmenter, type SegmenterEnd } from '../platform/media-tools/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { segmentArguments, type EncodeRun } from './encode-arguments.ts'
import type { Semaphore } from '../platform/concurrency/index.ts'
import { writtenBytes } from './job-directory.ts'
import { segmentCountOf } from './rendition-segments.ts'
import type { Rendition } from './rendition.ts'

/** Encoders step back for the database and for answering requests. */
const NICENESS = 5

/** An encoder is this near to a segment when making what lies between costs less than a new process. */
const REACH_SEGMENTS = 2

export type EncoderServices = {
  mediaTools: Pick<MediaTools, 'startSegmenter'>
  clock: Clock
  slots: Semaphore
}

export type EncoderProcessInput = EncodeRun &
  Readonly<{
    /** Of its own; made when it starts and removed with it. */
    folder: string
    /** Called each time before the encoder starts or goes on; what it throws is what those who wait get. */
    admit: () => Promise<void>
    /** Called each time when the encoder has stopped, suspended or ended. */
    onRest: () => void
  }>

/** Why an encoder did not make a segment that was wanted of it. */
export class EncoderFailure extends Error {
  readonly isDiskFull: boolean

  constructor(message: string, { isDiskFull = false }: { isDiskFull?: boolean } = {}) {
    super(message)
    this.isDiskFull = isDiskFull
  }
}

/**
 * - idle: not started, or suspended (stopped in the middle by SIGSTOP); it costs memory and no time.
 * - waiting: for one of the slots.
 * - running: somebody waits for what it makes.
 * - ended: there is no process any more; what it made may still lie there.
 */
type EncoderState = 'idle' | 'waiting' | 'running' | 'ended'

/**
 * One encoder that runs through the segments of a rendition from some segment on, but only while somebody waits for
 * one: it is stopped as soon as the last wanted piece is whole, and goes on with the next request. So watching straight
 * through costs what one pass of ffmpeg costs, and nothing is encoded that nobody asked for (serving rule 4).
 */
export class EncoderProcess {
  readonly input: EncoderProcessInput
  readonly #services: EncoderServices
  /** Whole pieces that nobody has taken. */
  readonly #pieces = new Set<number>()
  readonly #wants = new Map<number, PromiseWithResolvers<void>>()
  /** Those who wait for a piece or read one. */
  readonly #takers = new Set<Promise<unknown>>()
  #last: number
  /** The first piece that is not whole yet. */
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
    return this.#takers.size > 0
  }

  /** It makes one segment and no more. */
  get isSingle(): boolean {
    return this.input.range.first === this.input.range.last
  }

  /** There is, or will be, a process. */
  get isLive(): boolean {
    return this.#state !== 'ended' && !this.#isDisposed
  }

  /** A stopped process that keeps its memory. */
  get isSuspended(): boolean {
    return this.#state === 'idle' && this.#process !== undefined
  }

  /** Nothing more can come of it. */
  get isSpent(): boolean {
    return !this.isWanted && this.#pieces.size === 0 && (this.#state === 'ended' || this.#next > this.#last)
  }

  /** It was asked for one segment after the other, as players do. */
  get isEstablished(): boolean {
    return this.#sequentialTakes > 0
  }

  get usedAt(): number {
    return this.#usedAt
  }

  /** The first segment that it has not made yet. */
  get next(): number {
    return this.#next
  }

  holds(index: number): boolean {
    return !this.#isDisposed && this.#pieces.has(index)
  }

  reaches(index: number): boolean {
    return this.isLive && index >= this.#next && index < this.#next + REACH_SEGMENTS && index <= this.#last
  }

  /** From `index` on the segments are there already; what somebody waits for is still made. */
  endBefore(index: number): void {
    this.#last = Math.max(Math.min(this.#last, index - 1), ...this.#wants.keys())
  }

  /**
   * Waits for a piece that the encoder holds or reaches, and hands its path to `use`; whether it is whole has still to be
   * looked at. Aborting `signal` withdraws the wish.
   * @throws EncoderFailure; what `admit` throws; AppError `tool_missing`; the signal's reason; what `use` throws
   */
  async take<Result>(index: number, signal: AbortSignal, use: (path: string) => Promise<Result>): Promise<Result> {
    signal.throwIfAborted()
    this.#usedAt = this.#services.clock.monotonicMilliseconds()
    if (index === this.#lastTaken + 1) this.#sequentialTakes += 1
    this.#lastTaken = index
    const taker = this.#serve(index, signal, use)
    this.#takers.add(taker)
    try {
      return await taker
    } finally {
      this.#takers.delete(taker)
      this.#usedAt = this.#services.clock.monotonicMilliseconds()
    }
  }

  async #serve<Result>(index: number, signal: AbortSignal, use: (path: string) => Promise<Result>): Promise<Result> {
    if (!this.#pieces.delete(index)) await this.#waitFor(index, signal)
    return use(piecePath(this.input.folder, index))
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

  /** What ffmpeg has said about its files so far, as a failure. */
  complaint(): EncoderFailure | undefined {
    const fault = this.#process?.fault() ?? null
    return fault === null ? undefined : new EncoderFailure(fault.text, { isDiskFull: fault.kind === 'disk_full' })
  }

  /** Ends an encoder that has run too long altogether, or has written nothing for too long. */
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

  /** Ends the process and removes what it left. Idempotent; never rejects. */
  async dispose(reason: Error = new EncoderFailure('the encoder was ended')): Promise<void> {
    this.#isDisposed = true
    this.#fail(reason)
    await this.#process?.ended.catch(() => {})
    await Promise.allSettled(this.#takers)
    await rm(this.input.folder, { recursive: true, force: true }).catch(() => {})
  }

  /** Makes what the process does follow from what is wanted. */
  #adjust(): void {
    const isWanted = this.#wants.size > 0
    if (isWanted && this.#state === 'idle') void this.#run()
    else if (!isWanted && this.#state === 'running') this.#park()
    else if (!isWanted && this.#state === 'waiting') this.#leaveQueue.abort(new Error('nobody waits any more'))
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
    this.input.onRest()
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
      // Not its parents: the directory of a job that was cancelled must not come back.
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
      { niceness: NICENESS, onPiece: (number) => this.#onPiece(number) },
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
   * A copied piece is whole when the next one is: pictures may be missing at its end, and only the next key frame tells that the file has
   * gone on. The last of all ends with the file.
   */
  #onPiece(told: number): void {
    const { job, rendition } = this.input
    const isLast = this.#last === segmentCountOf(job, rendition) - 1
    const index = isCopied(rendition) && !isLast ? told - 1 : told
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
    this.input.onRest()
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
    this.input.onRest()
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
  const said = stderrTail.slice(-500).trim()
  const words = fault?.text ?? (said === '' ? 'the segment is not whole' : said)
  return new EncoderFailure(`ffmpeg ended with ${exitCode ?? signal}: ${words}`, {
    isDiskFull: fault?.kind === 'disk_full',
  })
}
