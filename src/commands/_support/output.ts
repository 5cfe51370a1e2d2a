import { styleText } from 'node:util'
import { EXIT } from './exit-codes.ts'

export type StreamName = 'stdout' | 'stderr'
export type Style = 'red' | 'yellow' | 'green' | 'bold' | 'dim'

/** Where a command's text goes: results on stdout, everything else on stderr; colours are judged per stream. */
export type Output = {
  /** A result. */
  result(text: string): void
  /** A message for people; ends up on stderr. */
  message(text: string): void
  /** Dresses text for that stream: nothing for NO_COLOR, `--no-color`, TERM=dumb and what is not a terminal. */
  style(stream: StreamName, style: Style, text: string): string
  /** Columns of a terminal, 0 when it does not know them; undefined when the stream is not one. */
  width(stream: StreamName): number | undefined
}

/** @param allowColour false for `--no-color` */
export function createOutput(allowColour: boolean): Output {
  listenOnce(process.stderr, ignoreClosedPipe)
  listenOnce(process.stdout, endOnLostResult)
  return {
    result: (text) => void process.stdout.write(`${text}\n`),
    message: (text) => void process.stderr.write(`${text}\n`),
    style: (stream, style, text) =>
      // Node applies NO_COLOR, FORCE_COLOR, TERM and "is it a terminal" to the stream that is named.
      allowColour ? styleText(style, text, { stream: process[stream], validateStream: true }) : text,
    width: (stream) => (process[stream].isTTY ? process[stream].columns : undefined),
  }
}

type Listener = (error: NodeJS.ErrnoException) => void

/** Before all others: the entry point's listener on stdout throws what is not EPIPE. */
function listenOnce(stream: NodeJS.WriteStream, listener: Listener): void {
  if (!stream.listeners('error').includes(listener)) stream.prependListener('error', listener)
}

/** `phlix … 2>&1 | head`: progress that nobody reads must not end the work. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}

/** A result that could not be written (disk full) is lost; a reader that went away (EPIPE) is the entry point's, and no failure. */
function endOnLostResult(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') return
  process.stderr.write(`error: the result could not be written: ${error.code ?? error.message} (io_error)\n`)
  process.exit(EXIT.io)
}
