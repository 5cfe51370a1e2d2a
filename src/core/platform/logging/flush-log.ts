import { pino, type DestinationStream, type MultiStreamRes } from 'pino'
import type { Logger } from './create-logger.ts'

/** A disk that does not answer must not keep a server from beginning again. */
const LIMIT_MILLISECONDS = 2000

type Flushable = { flush(onFlushed: () => void): void }

/**
 * Resolves when every line that was logged is in the log file, or cannot be written, or after 2 s. For ends of the process that wait for
 * nothing: lines are written in the background.
 */
export async function flushLog(log: Logger): Promise<void> {
  const { streams } = (log as unknown as Record<symbol, MultiStreamRes>)[pino.symbols.streamSym] ?? { streams: [] }
  const flushed = streams
    .map(({ stream }) => stream)
    .filter(isFlushable)
    .map(flush)
  const { promise: limit, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, LIMIT_MILLISECONDS)
  await Promise.race([Promise.all(flushed), limit])
  clearTimeout(timer)
}

function flush(stream: Flushable): Promise<void> {
  return new Promise((resolve) => stream.flush(() => resolve()))
}

function isFlushable(stream: DestinationStream): stream is DestinationStream & Flushable {
  return 'flush' in stream && typeof stream.flush === 'function'
}
