/** Rules, the deepest bodies of the interface, have fewer than 70 levels. */
const MAX_LEVELS = 1000

/** Twice the longest list of the interface. */
const MAX_KEYS_AND_VALUES = 20_000

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Decides whether JSON text, which can arrive in pieces, has at most 1,000 levels and 20,000 keys and values together, or other limits. It allocates nothing
 * and does not check the syntax. JSON.parse takes 100 ms and 60 MB for 1 MiB of brackets. It puts the values of a text of more than 100 KiB
 * into the old generation, which only full collections free: up to 4.7 MB for 50,000 keys and values.
 */
export class JsonSizeCheck {
  readonly #maxLevels: number
  readonly #maxKeysAndValues: number
  #level = 0
  #count = 1
  #isInText = false
  #isEscaped = false

  constructor({
    maxLevels = MAX_LEVELS,
    maxKeysAndValues = MAX_KEYS_AND_VALUES,
  }: { maxLevels?: number; maxKeysAndValues?: number } = {}) {
    this.#maxLevels = maxLevels
    this.#maxKeysAndValues = maxKeysAndValues
  }

  /**
   * Counts the next piece; after a refusal no further piece.
   * @param bytes UTF-8, whose multi-byte characters contain no ASCII bytes
   * @returns whether everything so far is within the limits
   */
  accepts(bytes: Uint8Array): boolean {
    for (let index = this.#endOfText(bytes, 0); index < bytes.length; index += 1) {
      const byte = bytes[index]
      if (byte === QUOTE) {
        this.#isInText = true
        index = this.#endOfText(bytes, index + 1) - 1
      } else if (byte === COMMA || byte === COLON) this.#count += 1
      else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.#level -= 1
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        this.#level += 1
        this.#count += 1
      }
      if (this.#level > this.#maxLevels || this.#count > this.#maxKeysAndValues) return false
    }
    return true
  }

  /** The index after the text between quotes that the bytes from `start` belong to; `start` outside of one. */
  #endOfText(bytes: Uint8Array, start: number): number {
    if (!this.#isInText) return start
    let index = start
    let searchFrom = start + MIN_SEARCHED_BYTES
    // Kept until the loop passes it: finding it again after each backslash would read the rest of the text for each of them.
    let quote = -1
    let isEscaped = this.#isEscaped
    for (; index < bytes.length; index += 1) {
      if (index >= searchFrom && !isEscaped) {
        if (quote < index) quote = indexOrEnd(bytes, QUOTE, index)
        index = indexOrEnd(bytes.subarray(0, quote), BACKSLASH, index)
        searchFrom = index + MIN_SEARCHED_BYTES
      }
      const byte = bytes[index]
      if (isEscaped) isEscaped = false
      else if (byte === BACKSLASH) isEscaped = true
      else if (byte === QUOTE) {
        this.#isInText = false
        index += 1
        break
      }
    }
    this.#isEscaped = isEscaped
    return index
  }
}

/** A native search is a hundred times faster for each byte than a loop. Its start takes as long as a loop over this many bytes. */
const MIN_SEARCHED_BYTES = 512

/** The index of the next such byte, or the length. */
function indexOrEnd(bytes: Uint8Array, wanted: number, from: number): number {
  const index = bytes.indexOf(wanted, from)
  return index === -1 ? bytes.length : index
}
