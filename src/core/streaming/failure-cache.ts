import type { Clock } from '../platform/time/index.ts'

/** Caches failures for a short time, so that a client's repeated requests do not start an encoder each time. */
export class FailureCache {
  readonly #clock: Clock
  readonly #keptMilliseconds: number
  readonly #failures = new Map<string, { error: unknown; until: number }>()

  constructor(clock: Clock, keptMilliseconds: number) {
    this.#clock = clock
    this.#keptMilliseconds = keptMilliseconds
  }

  add(key: string, error: unknown): void {
    const now = this.#clock.monotonicMilliseconds()
    for (const [known, { until }] of this.#failures) if (until <= now) this.#failures.delete(known)
    this.#failures.set(key, { error, until: now + this.#keptMilliseconds })
  }

  /** @throws the cached failure of this key, if there is one */
  throwRecent(key: string): void {
    const failure = this.#failures.get(key)
    if (failure !== undefined && failure.until > this.#clock.monotonicMilliseconds()) throw failure.error
  }
}
