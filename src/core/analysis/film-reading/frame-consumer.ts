import { PICTURE_BYTES } from '../../platform/media-tools/index.ts'

/** Receives the pictures of a film in order: one for every ten seconds, 160x90 pixels of three bytes, red, green, blue. */
export type FrameConsumer = Readonly<{
  /** The reading waits until it is done. The consumer may keep the bytes but not change them. */
  frame(rgb: Buffer, index: number): Promise<void> | void
  /** The film is read again: what was received is void, and the next picture is the first. */
  restart(): Promise<void> | void
}>

/** Gives each picture to several consumers, and watches whether they differ. */
export class FrameDistributor {
  readonly #consumers: readonly FrameConsumer[]
  #first: Buffer = Buffer.alloc(PICTURE_BYTES)
  #count = 0
  #isUniform = true

  constructor(consumers: readonly FrameConsumer[]) {
    this.#consumers = consumers
  }

  get count(): number {
    return this.#count
  }

  /** All pictures are equal: the film shows one picture, or its decoder showed none. */
  get isUniform(): boolean {
    return this.#isUniform
  }

  async frame(rgb: Buffer, index: number): Promise<void> {
    if (index === 0) this.#first = rgb
    else if (this.#isUniform && !rgb.equals(this.#first)) this.#isUniform = false
    this.#count = index + 1
    for (const consumer of this.#consumers) await consumer.frame(rgb, index)
  }

  async restart(): Promise<void> {
    if (this.#count === 0) return
    this.#count = 0
    this.#isUniform = true
    for (const consumer of this.#consumers) await consumer.restart()
  }
}
