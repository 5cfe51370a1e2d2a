import type { Clock } from '../platform/time/index.ts'

/**
 * Remembers failures for a short while, so that a client that asks again and again does not start an encoder each time.
 */
export class FailureMemory {
  readonly #clock: Clock
  readonly #keptMilliseconds: number
  readonly #failures = new Map<string, { error: unknown; until: number }>()

  constructor(clock: Clock, keptMilliseconds: number) {
    this.#clock = clock
    this.#keptMilliseconds = keptMilliseconds
  }

  remember(key: string, error: unknown): void {
    const now = this.#clock.monotonicMilliseconds()
    for (const [known, { until }] of this.#failures) if (until <= now) this.#failures.delete(known)
    this.#failures.set(key, { error, until: now + this.#keptMilliseconds })
  }

  /** @throws the failure that is remembered for this key */
  throwRecent(key: string): void {
    const failure = this.#failures.get(key)
    if (failure !== undefined && failure.until > this.#clock.monotonicMilliseconds()) throw failure.error
  }
}
