import type { Readable } from 'node:stream'
import { OUTPUT_WINDOW_MILLISECONDS, type ProcessLimits } from './limits.ts'

/**
 * Reads a plugin's output at a limited rate, because its messages are parsed in the thread that serves requests. Unread output stays in the
 * pipe, which blocks the plugin.
 * @returns counts one message
 */
export function readThrottled(
  output: Readable,
  limits: Pick<ProcessLimits, 'outputBytes' | 'outputMessages'>,
  read: (chunk: Buffer) => void,
): { countMessage: () => void } {
  let [bytes, messages] = [0, 0]
  let timer: NodeJS.Timeout | undefined
  const reset = (): void => {
    timer = undefined
    // A longer piece is paid for in the following windows.
    bytes = Math.max(bytes - limits.outputBytes, 0)
    messages = Math.max(messages - limits.outputMessages, 0)
    if (bytes > 0 || messages > 0) startWindow()
    if (bytes <= limits.outputBytes && messages <= limits.outputMessages) output.resume()
  }
  const startWindow = (): void => {
    timer ??= setTimeout(reset, OUTPUT_WINDOW_MILLISECONDS)
  }
  output.on('data', (chunk: Buffer) => {
    startWindow()
    bytes += chunk.length
    read(chunk)
    if (bytes > limits.outputBytes || messages > limits.outputMessages) output.pause()
  })
  output.on('close', () => clearTimeout(timer))
  return { countMessage: () => void (messages += 1) }
}
