/** Events of the element that is heard. */
const EVENTS = [
  'playing',
  'play',
  'pause',
  'seeked',
  'timeupdate',
  'durationchange',
  'ended',
  'emptied',
  'error',
] as const

/**
 * Two audio elements as one: while one is heard, the other loads the next song, and begins it in the event that ends the first one. Browsers
 * need some time to open a file, which would be a gap. The object has the properties and events of the element that is heard.
 */
export class AudioPair extends EventTarget {
  readonly elements: readonly [HTMLAudioElement, HTMLAudioElement] = [new Audio(), new Audio()]
  #heard = 0
  /** The address that each element has loaded. */
  readonly #addresses: [string, string] = ['', '']

  constructor() {
    super()
    for (const [index, element] of this.elements.entries()) {
      element.preload = 'auto'
      for (const type of EVENTS)
        element.addEventListener(type, () => {
          if (index === this.#heard && this.#addresses[index] !== '') this.dispatchEvent(new Event(type))
        })
    }
  }

  get #element(): HTMLAudioElement {
    return this.elements[this.#heard] ?? this.elements[0]
  }

  get currentTime(): number {
    return this.#element.currentTime
  }

  set currentTime(seconds: number) {
    this.#element.currentTime = seconds
  }

  get duration(): number {
    return this.#element.duration
  }

  get paused(): boolean {
    return this.#element.paused
  }

  get seeking(): boolean {
    return this.#element.seeking
  }

  get readyState(): number {
    return this.#element.readyState
  }

  /** Plays a song from its start; at once if it was prepared. */
  async start(address: string): Promise<void> {
    const before = this.#heard
    this.#heard = 1 - before
    this.#load(this.#heard, address)
    // The other element is not heard any more.
    this.#load(before, '')
    await this.play()
  }

  /** Loads the song that is expected next; none with an empty address. */
  prepare(address: string): void {
    this.#load(1 - this.#heard, address)
  }

  /** Browsers may refuse to start without a click. The listener can then start it with the button. */
  async play(): Promise<void> {
    await this.#element.play().catch(() => undefined)
  }

  pause(): void {
    this.#element.pause()
  }

  stop(): void {
    this.pause()
    for (const index of [0, 1]) this.#load(index, '')
  }

  #load(index: number, address: string): void {
    const element = this.elements[index]
    // What could not be prepared is tried again, so that its error is heard.
    if (element === undefined || (this.#addresses[index] === address && element.error === null)) return
    this.#addresses[index === 0 ? 0 : 1] = address
    if (address === '') element.removeAttribute('src')
    else element.src = address
    element.load()
  }
}
