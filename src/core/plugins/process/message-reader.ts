import { isJsonObject, JsonSizeCheck, parseJson } from '../../platform/json/index.ts'

export const MAX_LINE_BYTES = 1024 * 1024
const MAX_LEVELS = 32
const NEWLINE = 0x0a

export type Message = Readonly<Record<string, unknown>>

/**
 * Splits the output of a plugin into messages: one JSON object a line. A line that is too long is dropped while it arrives, so that no more
 * than one line is ever in memory.
 */
export function createMessageReader(receive: {
  message: (message: Message) => void
  /** A line that is no JSON object, nested too deeply or too long. */
  invalid: () => void
}): (chunk: Uint8Array) => void {
  let parts: Uint8Array[] = []
  let bytes = 0
  let isSkipping = false

  function endLine(): void {
    const line = Buffer.concat(parts)
    const wasSkipping = isSkipping
    parts = []
    bytes = 0
    isSkipping = false
    if (wasSkipping || line.length === 0) return
    const value = new JsonSizeCheck({ maxLevels: MAX_LEVELS }).accepts(line) ? parseJson(line) : undefined
    if (isJsonObject(value)) receive.message(value)
    else receive.invalid()
  }

  function add(piece: Uint8Array): void {
    if (isSkipping) return
    bytes += piece.length
    if (bytes <= MAX_LINE_BYTES) return void parts.push(piece)
    parts = []
    isSkipping = true
    receive.invalid()
  }

  return (chunk) => {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, end))
      endLine()
      start = end + 1
    }
    if (start < chunk.length) add(chunk.subarray(start))
  }
}
