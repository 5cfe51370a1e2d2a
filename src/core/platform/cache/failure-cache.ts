import type { Clock } from '../time/index.ts'

const MAX_ENTRIES = 1000

/** Keeps failures for a while, so that a client that repeats a request does not cause the same work each time. */
export class FailureCache {
  readonly #clock: Pick<Clock, 'monotonicMilliseconds'>
  readonly #lifetimeMilliseconds: number
  /** In the order in which they were added. */
  readonly #failures = new Map<string, { error: unknown; expiresAtMilliseconds: number }>()

  constructor(clock: Pick<Clock, 'monotonicMilliseconds'>, lifetimeMilliseconds: number) {
    this.#clock = clock
    this.#lifetimeMilliseconds = lifetimeMilliseconds
  }

  /** Adds a failure, or replaces the one with this key. The oldest one is evicted when there are more than a thousand. */
  add(key: string, error: unknown, lifetimeMilliseconds = this.#lifetimeMilliseconds): void {
    this.#failures.delete(key)
    this.#failures.set(key, {
      error,
      expiresAtMilliseconds: this.#clock.monotonicMilliseconds() + lifetimeMilliseconds,
    })
    const [oldest] = this.#failures.keys()
    if (this.#failures.size > MAX_ENTRIES && oldest !== undefined) this.#failures.delete(oldest)
  }

  /** The failure with this key; undefined when there is none or it has expired. */
  get(key: string): unknown {
    const failure = this.#failures.get(key)
    if (failure === undefined) return undefined
    if (failure.expiresAtMilliseconds > this.#clock.monotonicMilliseconds()) return failure.error
    this.#failures.delete(key)
    return undefined
  }

  /** @throws the failure with this key, unless it has expired */
  throwIfFailed(key: string): void {
    const error = this.get(key)
    if (error !== undefined) throw error
  }
}
