import { join } from 'node:path'
import type { Config } from '../../platform/config/index.ts'
import { describeError } from '../../platform/errors/index.ts'
import { freeSpaceBytes } from '../../platform/files/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { MediaTools } from '../../platform/media-tools/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { audiobookErrors } from '../errors.ts'
import { createWaveformCache } from './cache.ts'
import { measureBook, type MeasuredBook } from './measure-book.ts'

/** The outlines of books as players draw them; each is made once, one at a time, and kept. */
export type Waveforms = {
  /**
   * The outline of the book that this key stands for; undefined while it is being made, which asking begins.
   * @throws AppError `waveform_unavailable` for ten minutes after it could not be made
   */
  find(key: string, book: MeasuredBook): Promise<number[] | undefined>
  /** Stops making and waits until nothing runs any more. */
  close(): Promise<void>
}

type Parts = { config: Config; log: Logger; clock: Clock; mediaTools: Pick<MediaTools, 'encode'> }

/** More books than anybody opens before the first is done; asking again queues the rest. */
const MAX_QUEUE = 20
const FAILURE_MILLISECONDS = 10 * 60 * 1000

export function createWaveforms({ config, log, clock, mediaTools }: Parts): Waveforms {
  const folder = join(config.dataDirectory, 'cache', 'waveforms')
  const cache = createWaveformCache(folder, () => clock.now())
  const logger = log.child({ domain: 'audiobooks' })
  const stopping = new AbortController()
  const waiting = new Map<string, Promise<void>>()
  const failedAt = new Map<string, number>()
  let last: Promise<void> = Promise.resolve()

  async function make(key: string, book: MeasuredBook): Promise<void> {
    try {
      stopping.signal.throwIfAborted()
      // A caller can look just before the outline is written, and ask for it again just after.
      if ((await cache.read(key)) !== undefined) return
      const draft = await cache.draftOf(key)
      if ((await freeSpaceBytes(folder)) < config.options['hls.min_disk_space_bytes'])
        throw new Error('the disk is full')
      await cache.write(key, await measureBook({ mediaTools }, { book, draft }, stopping.signal))
    } catch (error) {
      if (stopping.signal.aborted) return
      logger.warning({ reason: describeError(error) }, 'the waveform of an audiobook could not be made')
      failedAt.set(key, clock.monotonicMilliseconds())
    } finally {
      waiting.delete(key)
    }
  }

  function hasFailed(key: string): boolean {
    const now = clock.monotonicMilliseconds()
    for (const [other, at] of failedAt) if (now - at >= FAILURE_MILLISECONDS) failedAt.delete(other)
    return failedAt.has(key)
  }

  return {
    async find(key, book) {
      const points = await cache.read(key)
      if (points !== undefined) return points
      if (hasFailed(key)) throw audiobookErrors.waveform_unavailable()
      if (!waiting.has(key) && waiting.size < MAX_QUEUE) {
        last = last.then(() => make(key, book))
        waiting.set(key, last)
      }
      return undefined
    },
    async close() {
      stopping.abort()
      await Promise.all(waiting.values())
    },
  }
}
