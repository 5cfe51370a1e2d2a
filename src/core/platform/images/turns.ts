import { imageErrors } from './errors.ts'

/** Lets so many pieces of work run at the same time; the others wait in the order in which they came, but not more than a limit. */
export class Turns {
  readonly #waiting: (() => void)[] = []
  readonly #maxWaiting: number
  #free: number

  constructor({ atOnce, maxWaiting }: { atOnce: number; maxWaiting: number }) {
    this.#free = atOnce
    this.#maxWaiting = maxWaiting
  }

  /** @throws AppError `too_many_pictures`, and what `work` throws */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1
    else {
      if (this.#waiting.length >= this.#maxWaiting) throw imageErrors.too_many_pictures()
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    try {
      return await work()
    } finally {
      // The turn goes straight to the next in line, so that nobody can slip in between.
      const next = this.#waiting.shift()
      if (next === undefined) this.#free += 1
      else next()
    }
  }
}
