import type { Clock } from '../time/index.ts'

const MAX_KEPT = 1000

/** Remembers failures for a while, so that a client that asks again and again does not cause the same work each time. */
export class RecentFailures {
  readonly #clock: Clock
  readonly #usualMilliseconds: number
  /** In the order in which they happened. */
  readonly #failures = new Map<string, { error: unknown; until: number }>()

  constructor(clock: Clock, usualMilliseconds: number) {
    this.#clock = clock
    this.#usualMilliseconds = usualMilliseconds
  }

  /** The oldest of very many is forgotten. */
  remember(key: string, error: unknown, keptMilliseconds = this.#usualMilliseconds): void {
    this.#failures.delete(key)
    this.#failures.set(key, { error, until: this.#clock.monotonicMilliseconds() + keptMilliseconds })
    const [oldest] = this.#failures.keys()
    if (this.#failures.size > MAX_KEPT && oldest !== undefined) this.#failures.delete(oldest)
  }

  /** The failure that is remembered for this key. */
  recent(key: string): unknown {
    const failure = this.#failures.get(key)
    if (failure === undefined) return undefined
    if (failure.until > this.#clock.monotonicMilliseconds()) return failure.error
    this.#failures.delete(key)
    return undefined
  }

  /** @throws the failure that is remembered for this key */
  throwRecent(key: string): void {
    const error = this.recent(key)
    if (error !== undefined) throw error
  }
}
