/** Rules, the deepest bodies of the interface, have fewer than 70 levels. */
const MAX_LEVELS = 1000

/** Five times the longest list of the interface. */
const MAX_KEYS_AND_VALUES = 50_000

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Whether JSON text has at most 1,000 levels and 50,000 keys and values together. It reads the text once, allocates nothing and does not
 * check the syntax. JSON.parse blocks the event loop for 100 ms and takes 60 MB for 1 MiB of brackets.
 * @param bytes UTF-8, whose multi-byte characters contain no ASCII bytes
 */
export function isParsable(bytes: Uint8Array): boolean {
  let [level, count] = [0, 1]
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index]
    if (byte === QUOTE) index = endOfString(bytes, index)
    else if (byte === COMMA || byte === COLON) count += 1
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) level -= 1
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      level += 1
      count += 1
    }
    if (level > MAX_LEVELS || count > MAX_KEYS_AND_VALUES) return false
  }
  return true
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
