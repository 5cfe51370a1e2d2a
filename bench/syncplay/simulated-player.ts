import { performance } from 'node:perf_hooks'
import type { SeededRandom } from '../../test/support/seeded-random.ts'

/** The part of a media element that the client of the web page uses, with a decoder of its own speed. */
export class SimulatedPlayer extends EventTarget {
  readonly duration = 7200
  readyState = 4
  seeking = false
  paused = true
  ended = false
  seeks = 0
  readonly #random: SeededRandom
  /** Speed of the decoder against true time. */
  readonly #decoderRate: number
  #rate = 1
  #seconds = 0
  #since = performance.now()
  #isMoving = false

  /** @param decoderError relative, for example 0.0002 for 200 ppm */
  constructor(random: SeededRandom, decoderError: number) {
    super()
    this.#random = random
    this.#decoderRate = 1 + decoderError
  }

  get currentTime(): number {
    const elapsed = this.#isMoving ? ((performance.now() - this.#since) / 1000) * this.#rate * this.#decoderRate : 0
    return this.#seconds + elapsed
  }

  set currentTime(seconds: number) {
    this.#settle()
    this.#seconds = seconds
    this.#isMoving = false
    this.seeking = true
    this.seeks += 1
    this.#tell('seeking')
    // A newer seek replaces this one.
    const seek = this.seeks
    setTimeout(
      () => {
        if (seek !== this.seeks) return
        this.seeking = false
        this.#since = performance.now()
        this.#isMoving = !this.paused
        this.#tell('seeked')
      },
      60 + this.#random.below(140),
    )
  }

  get playbackRate(): number {
    return this.#rate
  }

  set playbackRate(rate: number) {
    this.#settle()
    this.#rate = rate
  }

  play(): Promise<void> {
    this.paused = false
    this.#tell('play')
    return new Promise((resolve) => {
      setTimeout(
        () => {
          this.#since = performance.now()
          this.#isMoving = !this.paused && !this.seeking
          resolve()
        },
        20 + this.#random.below(120),
      )
    })
  }

  pause(): void {
    this.#settle()
    this.#isMoving = false
    this.paused = true
    this.#tell('pause')
  }

  /** Has no data for a time in milliseconds. */
  stall(milliseconds: number): void {
    this.#settle()
    this.#isMoving = false
    this.readyState = 2
    this.#tell('waiting')
    setTimeout(() => {
      this.readyState = 4
      this.#since = performance.now()
      this.#isMoving = !this.paused
      this.#tell('canplay')
    }, milliseconds)
  }

  #settle(): void {
    this.#seconds = this.currentTime
    this.#since = performance.now()
  }

  #tell(name: string): void {
    queueMicrotask(() => this.dispatchEvent(new Event(name)))
  }
}
