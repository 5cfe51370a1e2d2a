import { join } from 'node:path'
import { FailureCache } from '../../platform/cache/index.ts'
import { Semaphore, shareRunning } from '../../platform/concurrency/index.ts'
import type { Config } from '../../platform/config/index.ts'
import { describeError } from '../../platform/errors/index.ts'
import { freeSpaceBytes } from '../../platform/files/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { MediaTools } from '../../platform/media-tools/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { audiobookErrors } from '../errors.ts'
import { createWaveformCache } from './waveform-cache.ts'
import { measureBook, type MeasuredBook } from './measure-book.ts'

/** The waveforms of books for players. Each is computed once, one at a time, and cached. */
export type Waveforms = {
  /**
   * The waveform for this cache key; undefined while it is being computed, which the call starts.
   * @throws AppError `waveform_unavailable` for ten minutes after a failure
   */
  find(key: string, book: MeasuredBook): Promise<number[] | undefined>
  /** Aborts the computation and waits until it has ended. */
  close(): Promise<void>
}

type WaveformServices = { config: Config; log: Logger; clock: Clock; mediaTools: Pick<MediaTools, 'encode'> }

/** More books than are opened before the first is done; another request queues the others. */
const MAX_QUEUE = 20
const FAILURE_MILLISECONDS = 10 * 60 * 1000

export function createWaveforms({ config, log, clock, mediaTools }: WaveformServices): Waveforms {
  const folder = join(config.dataDirectory, 'cache', 'waveforms')
  const cache = createWaveformCache(folder, () => clock.now())
  const logger = log.child({ domain: 'audiobooks' })
  const stopping = new AbortController()
  const waiting = new Map<string, Promise<void>>()
  const failures = new FailureCache(clock, FAILURE_MILLISECONDS)
  const oneAtATime = new Semaphore({ permits: 1 })

  async function make(key: string, book: MeasuredBook): Promise<void> {
    try {
      stopping.signal.throwIfAborted()
      // A caller can read the cache just before the waveform is written, and request it again just after.
      if ((await cache.read(key)) !== undefined) return
      const draft = await cache.draftOf(key)
      if ((await freeSpaceBytes(folder)) < config.options['hls.min_disk_space_bytes'])
        throw new Error('the disk is full')
      await cache.write(key, await measureBook({ mediaTools }, { book, draft }, stopping.signal))
    } catch (error) {
      if (stopping.signal.aborted) return
      logger.warning({ reason: describeError(error) }, 'the waveform of an audiobook could not be made')
      failures.add(key, error)
    }
  }

  return {
    async find(key, book) {
      const points = await cache.read(key)
      if (points !== undefined) return points
      if (failures.get(key) !== undefined) throw audiobookErrors.waveform_unavailable()
      if (waiting.size < MAX_QUEUE) void shareRunning(waiting, key, () => oneAtATime.run(() => make(key, book)))
      return undefined
    },
    async close() {
      stopping.abort()
      await Promise.all(waiting.values())
    },
  }
}
