export type SemaphoreOptions = {
  /** Permits that can be held at the same time. */
  permits: number
  /** Callers that can wait; one more is refused. No limit unless given. */
  maxWaiting?: number
  /** The longest wait; then the caller is refused. No limit unless given. */
  maxWaitMilliseconds?: number
  /** Makes the error of a refused caller. Needed with either limit. */
  refusal?: () => Error
}

/** Limits concurrent work. Waiting callers are served first come, first served. */
export class Semaphore {
  readonly #permits: number
  readonly #maxWaiting: number
  readonly #maxWaitMilliseconds: number | undefined
  readonly #refusal: () => Error
  readonly #waiting = new Set<() => void>()
  #free: number

  constructor({ permits, maxWaiting = Infinity, maxWaitMilliseconds, refusal = tooManyWaiting }: SemaphoreOptions) {
    this.#permits = permits
    this.#free = permits
    this.#maxWaiting = maxWaiting
    this.#maxWaitMilliseconds = maxWaitMilliseconds
    this.#refusal = refusal
  }

  /** Whether the next caller would have to wait. */
  get isFull(): boolean {
    return this.#free === 0
  }

  /** Whether no permit is held. */
  get isIdle(): boolean {
    return this.#free === this.#permits
  }

  /**
   * Waits for a permit.
   * @param signal ends the wait; it has no effect on a permit that is held
   * @returns the function that releases the permit; only its first call has an effect
   * @throws the reason of the signal, and the error of `refusal`
   */
  async acquire(signal?: AbortSignal): Promise<() => void> {
    await this.#acquire(signal)
    let isHeld = true
    return () => {
      if (isHeld) this.#release()
      isHeld = false
    }
  }

  /**
   * Runs work with a permit. The work starts synchronously if a permit is free.
   * @throws what `acquire` throws, and what the work throws
   */
  async run<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const wait = this.#acquire(signal)
    if (wait !== undefined) await wait
    try {
      return await work()
    } finally {
      this.#release()
    }
  }

  /** Undefined when a permit was free. */
  #acquire(signal: AbortSignal | undefined): Promise<void> | undefined {
    signal?.throwIfAborted()
    if (this.#free === 0) return this.#wait(signal)
    this.#free -= 1
    return undefined
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    if (this.#waiting.size >= this.#maxWaiting) throw this.#refusal()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      this.#waiting.delete(admit)
    }
    const admit = (): void => {
      end()
      resolve()
    }
    const refuse = (): void => {
      end()
      reject(this.#refusal())
    }
    const abort = (): void => {
      end()
      reject(signal?.reason as Error)
    }
    const timer = this.#maxWaitMilliseconds === undefined ? undefined : setTimeout(refuse, this.#maxWaitMilliseconds)
    signal?.addEventListener('abort', abort, { once: true })
    this.#waiting.add(admit)
    return promise
  }

  /** The permit goes directly to the caller that waits longest, so that no new caller overtakes it. */
  #release(): void {
    const [next] = this.#waiting
    if (next === undefined) this.#free += 1
    else next()
  }
}

function tooManyWaiting(): Error {
  return new RangeError('a semaphore with a limit of waiting callers needs an error for refused ones')
}
