import { LRUCache } from 'lru-cache'
import type { Clock } from '../time/index.ts'

const MAX_ENTRIES = 1000

/** Keeps failures for a while, so that a client that repeats a request does not cause the same work each time. */
export class FailureCache {
  readonly #clock: Pick<Clock, 'monotonicMilliseconds'>
  readonly #lifetimeMilliseconds: number
  /**
   * Expiry is checked here instead of by the LRU library: it ignores entries from time zero of the clock, and keeps an entry at the instant
   * of its expiry.
   */
  readonly #failures = new LRUCache<string, { error: unknown; expiresAtMilliseconds: number }>({ max: MAX_ENTRIES })

  constructor(clock: Pick<Clock, 'monotonicMilliseconds'>, lifetimeMilliseconds: number) {
    this.#clock = clock
    this.#lifetimeMilliseconds = lifetimeMilliseconds
  }

  /** Adds a failure, or replaces the failure with this key. Above a thousand failures the least recently used one is evicted. */
  add(key: string, error: unknown, lifetimeMilliseconds = this.#lifetimeMilliseconds): void {
    this.#failures.set(key, {
      error,
      expiresAtMilliseconds: this.#clock.monotonicMilliseconds() + lifetimeMilliseconds,
    })
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
