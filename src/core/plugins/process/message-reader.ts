import { isJsonObject, JsonSizeCheck, parseJson } from '../../platform/json/index.ts'

export const MAX_LINE_BYTES = 1024 * 1024
const MAX_LEVELS = 32
const NEWLINE = 0x0a

const newCheck = (): JsonSizeCheck => new JsonSizeCheck({ maxLevels: MAX_LEVELS })

export type Message = Readonly<Record<string, unknown>>

/**
 * Splits the output of a plugin into messages: one JSON object a line. A line that is too long, nested too deeply or has too many values is
 * dropped while it arrives: no more than one line is ever in memory, and the thread that serves requests looks at one piece at a time
 * instead of at 1 MiB at once. Only the parsing of an acceptable line is one step.
 */
export function createMessageReader(receive: {
  message: (message: Message) => void
  /** A line that is no JSON object, nested too deeply or too long. */
  invalid: () => void
}): (chunk: Uint8Array) => void {
  let parts: Uint8Array[] = []
  let bytes = 0
  let isSkipping = false
  let check = newCheck()

  function endLine(): void {
    const line = Buffer.concat(parts)
    const wasSkipping = isSkipping
    parts = []
    bytes = 0
    isSkipping = false
    check = newCheck()
    if (wasSkipping || line.length === 0) return
    const value = parseJson(line)
    if (isJsonObject(value)) receive.message(value)
    else receive.invalid()
  }

  function add(piece: Uint8Array): void {
    if (isSkipping) return
    bytes += piece.length
    if (bytes <= MAX_LINE_BYTES && check.accepts(piece)) return void parts.push(piece)
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
