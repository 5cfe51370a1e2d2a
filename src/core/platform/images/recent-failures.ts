import type { Clock } from '../time/index.ts'

const MAX_KEPT = 1000

/** Caches failures for a while, so that repeated requests of a client do not repeat the work. */
export class RecentFailures {
  readonly #clock: Clock
  readonly #usualMilliseconds: number
  /** In the order of the failures. */
  readonly #failures = new Map<string, { error: unknown; until: number }>()

  constructor(clock: Clock, usualMilliseconds: number) {
    this.#clock = clock
    this.#usualMilliseconds = usualMilliseconds
  }

  /** Stores a failure. The oldest one is evicted when the cache is full. */
  remember(key: string, error: unknown, keptMilliseconds = this.#usualMilliseconds): void {
    this.#failures.delete(key)
    this.#failures.set(key, { error, until: this.#clock.monotonicMilliseconds() + keptMilliseconds })
    const [oldest] = this.#failures.keys()
    if (this.#failures.size > MAX_KEPT && oldest !== undefined) this.#failures.delete(oldest)
  }

  /** The stored failure of this key; undefined when there is none or it has expired. */
  recent(key: string): unknown {
    const failure = this.#failures.get(key)
    if (failure === undefined) return undefined
    if (failure.until > this.#clock.monotonicMilliseconds()) return failure.error
    this.#failures.delete(key)
    return undefined
  }

  /** @throws the stored failure of this key */
  throwRecent(key: string): void {
    const error = this.recent(key)
    if (error !== undefined) throw error
  }
}
