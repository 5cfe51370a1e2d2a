import { pino, type DestinationStream, type MultiStreamRes } from 'pino'
import { withTimeLimit } from '../concurrency/index.ts'
import type { Logger } from './logger.ts'

/** A disk that does not answer must not prevent a restart. */
const LIMIT_MILLISECONDS = 2000

type Flushable = { flush(onFlushed: () => void): void }

/**
 * Resolves when all logged lines are in the log file or have failed to be written, at the latest after 2 s. For immediate ends of the
 * process, because lines are written in the background.
 */
export async function flushLog(log: Logger): Promise<void> {
  const { streams } = (log as unknown as Record<symbol, MultiStreamRes>)[pino.symbols.streamSym] ?? { streams: [] }
  const flushed = streams
    .map(({ stream }) => stream)
    .filter(isFlushable)
    .map(flush)
  await withTimeLimit(Promise.all(flushed), { milliseconds: LIMIT_MILLISECONDS, onTimeout: () => [] })
}

function flush(stream: Flushable): Promise<void> {
  return new Promise((resolve) => stream.flush(() => resolve()))
}

function isFlushable(stream: DestinationStream): stream is DestinationStream & Flushable {
  return 'flush' in stream && typeof stream.flush === 'function'
}
