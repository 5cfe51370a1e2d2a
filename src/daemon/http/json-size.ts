/** Rules, the deepest bodies of the interface, have fewer than 70 levels. */
const MAX_LEVELS = 1000

/** Ten times the longest list of the interface. */
const MAX_KEYS_AND_VALUES = 100_000

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Whether JSON text has at most 1,000 levels and 100,000 keys and values together. It reads the text once, allocates nothing and does not check the syntax.
 * JSON.parse blocks the
 * event loop for 100 ms and takes 60 MB for 1 MiB of brackets.
 * @param bytes UTF-8, whose multi-byte characters contain no ASCII bytes
 */
export function isParsable(bytes: Uint8Array): boolean {
  let [level, count] = [0, 1]
  for (let index = 0; index < bytes.length; index += 1) {
    switch (bytes[index]) {
      case QUOTE:
        index = endOfString(bytes, index)
        break
      case OPEN_LIST:
      case OPEN_OBJECT:
        level += 1
        count += 1
        if (level > MAX_LEVELS) return false
        break
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        level -= 1
        break
      case COMMA:
      case COLON:
        count += 1
        if (count > MAX_KEYS_AND_VALUES) return false
        break
    }
  }
  return count <= MAX_KEYS_AND_VALUES
}

/** The index of the closing quote; the length of the text without one. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let index = start + 1; index < bytes.length; index += 1) {
    const byte = bytes[index]
    if (byte === QUOTE) return index
    if (byte === BACKSLASH) index += 1
  }
  return bytes.length
}
