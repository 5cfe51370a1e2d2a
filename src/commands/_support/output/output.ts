import { styleText } from 'node:util'
import { EXIT } from '../exit-codes.ts'

export type StreamName = 'stdout' | 'stderr'
export type Style = 'red' | 'yellow' | 'green' | 'bold' | 'dim'

/** Output streams of a command: results on stdout, everything else on stderr. Colours are decided per stream. */
export type Output = {
  /** Writes a result to stdout. */
  result(text: string): void
  /** Writes a message for the user to stderr. */
  message(text: string): void
  /** Applies a style if the stream supports it: not with NO_COLOR, `--no-color` or TERM=dumb, and not if it is not a terminal. */
  style(stream: StreamName, style: Style, text: string): string
  /** Width of the terminal in columns, 0 if unknown; undefined if the stream is not a terminal. */
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
      // Node evaluates NO_COLOR, FORCE_COLOR, TERM and whether the given stream is a terminal.
      allowColour ? styleText(style, text, { stream: process[stream], validateStream: true }) : text,
    width: (stream) => (process[stream].isTTY ? process[stream].columns : undefined),
  }
}

type Listener = (error: NodeJS.ErrnoException) => void

/** Registered before all other listeners: the entry point's listener on stdout throws errors other than EPIPE. */
function listenOnce(stream: NodeJS.WriteStream, listener: Listener): void {
  if (!stream.listeners('error').includes(listener)) stream.prependListener('error', listener)
}

/** `phlix … 2>&1 | head`: a closed pipe for progress output must not end the work. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}

/** A result that could not be written (disk full) is a failure. A closed pipe (EPIPE) is not; the entry point handles it. */
function endOnLostResult(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') return
  process.stderr.write(`error: the result could not be written: ${error.code ?? error.message} (io_error)\n`)
  process.exit(EXIT.io)
}
