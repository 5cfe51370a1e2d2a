/** Lets a fixed number of encoders run at the same time; the others wait in the order in which they came. */
export class EncoderSlots {
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor(limit: number) {
    this.#free = limit
  }

  /** Whether the next one would have to wait. */
  get isFull(): boolean {
    return this.#free === 0
  }

  /**
   * Waits for a slot.
   * @returns what gives it back; more than one call of it does nothing
   * @throws the signal's reason where it is aborted while waiting
   */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    if (this.#free > 0) this.#free -= 1
    else await this.#queue(signal)
    let isHeld = true
    return () => {
      if (isHeld) this.#release()
      isHeld = false
    }
  }

  async #queue(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const enter = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1)
        reject(signal.reason as Error)
      }
      this.#waiting.push(enter)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  /** The slot goes straight to the next in line, so nobody can slip in between. */
  #release(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#free += 1
    else next()
  }
}
