import { hash } from 'node:crypto'
import { join } from 'node:path'
import { FailureCache } from '../platform/cache/index.ts'
import { Semaphore, shareRunning, withTimeLimit } from '../platform/concurrency/index.ts'
import type { Config } from '../platform/config/index.ts'
import { AppError, describeError } from '../platform/errors/index.ts'
import { createFileStore } from '../platform/files/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { MediaTools } from '../platform/media-tools/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { subtitleErrors } from './errors.ts'
import { extractSubtitleTexts } from './extract-subtitle-texts.ts'
import type { TextStream } from './text-output-args.ts'

/** A request for one text stream of a film. */
export type EmbeddedRequest = {
  /** Absolute path; the caller has verified that it belongs to the library. */
  path: string
  /** Version of the file; changes with its content. */
  stamp: string
  /** All text streams of the film. They are extracted together, because extraction reads the whole film. */
  streams: readonly TextStream[]
  /** `streamIndex` of the requested stream. */
  wanted: number
}

/** The embedded texts of films. Films are read one at a time, each once, and the texts are cached. */
export type EmbeddedSubtitleReader = {
  /**
   * Returns the text of a stream in its original format, with timestamps on the film's clock.
   * @throws AppError `subtitle_in_progress` if reading exceeds the waiting time, `subtitle_unavailable`, `tool_missing`
   */
  read(request: EmbeddedRequest): Promise<Uint8Array>
  /** Stops reading and waits until all work has ended. */
  close(): Promise<void>
}

type Parts = { config: Config; log: Logger; clock: Clock; mediaTools: Pick<MediaTools, 'encode'> }

/** Enough for about a thousand films with several tracks. */
const STORE_BYTES = 256 * 1024 * 1024

/** Streams extracted per pass; a film with more tracks needs several passes. */
const STREAMS_AT_ONCE = 32
const MAX_QUEUE = 20
const FAILURE_MILLISECONDS = 60_000

/** Half the life of an idle connection. Reading a very large film continues afterwards, and a later request finds the result. */
const MAX_WAIT_MILLISECONDS = 60_000
const RETRY_SECONDS = 10

/** Part of every cache key. A change of the extraction needs a new value, which invalidates the cache. */
const CACHE_KEY_VERSION = 'phlix-subtitle-1'

/** Creates the service for the data directory; opens no files. */
export function createEmbeddedSubtitleReader(
  { config, log, clock, mediaTools }: Parts,
  { waitMilliseconds = MAX_WAIT_MILLISECONDS }: { waitMilliseconds?: number } = {},
): EmbeddedSubtitleReader {
  const directory = join(config.dataDirectory, 'cache', 'subtitles')
  const floorBytes = config.options['hls.min_disk_space_bytes']
  const logger = log.child({ domain: 'subtitles' })
  const store = createFileStore({ directory, limitBytes: STORE_BYTES, floorBytes, clock, log: logger })
  const stopping = new AbortController()
  const inProgress = new Map<string, Promise<void>>()
  const failures = new FailureCache(clock, FAILURE_MILLISECONDS)
  const oneAtATime = new Semaphore({ permits: 1 })

  async function extractAll({ path, stamp }: EmbeddedRequest, streams: readonly TextStream[]): Promise<void> {
    const texts = extractSubtitleTexts(
      { mediaTools, draftFolder: directory },
      { path, streams, floorBytes },
      stopping.signal,
    )
    for await (const { streamIndex, bytes } of texts) {
      // The store treats empty files as missing.
      await store.write(nameOf({ path, stamp, streamIndex }), bytes.length > 0 ? bytes : Buffer.from('\n'))
    }
  }

  async function readInTurn(key: string, request: EmbeddedRequest, streams: readonly TextStream[]): Promise<void> {
    try {
      await oneAtATime.run(() => extractAll(request, streams), stopping.signal)
    } catch (error) {
      if (stopping.signal.aborted) throw subtitleErrors.subtitle_unavailable({ cause: error })
      failures.add(key, error)
      logger.warning({ reason: describeError(error) }, 'embedded subtitles could not be extracted')
      throw error instanceof AppError ? error : subtitleErrors.subtitle_unavailable({ cause: error })
    }
  }

  /** Starts reading a film, or joins the reading that is in progress. */
  function readFilm(request: EmbeddedRequest): Promise<void> {
    const streams = batchOf(request)
    const key = nameOf({ ...request, streamIndex: streams[0]?.streamIndex ?? -1 })
    const running = inProgress.get(key)
    if (running !== undefined) return running
    if (failures.get(key) !== undefined || inProgress.size >= MAX_QUEUE) throw subtitleErrors.subtitle_unavailable()
    return shareRunning(inProgress, key, () => readInTurn(key, request, streams))
  }

  return {
    async read(request) {
      const name = nameOf({ ...request, streamIndex: request.wanted })
      const cached = await store.read(name)
      if (cached !== undefined) return cached.bytes
      // The reading continues after the time limit.
      await withTimeLimit(readFilm(request), {
        milliseconds: waitMilliseconds,
        onTimeout: () => {
          throw subtitleErrors.subtitle_in_progress({ retryAfterSeconds: RETRY_SECONDS })
        },
      })
      const made = await store.read(name)
      if (made === undefined) throw subtitleErrors.subtitle_unavailable()
      return made.bytes
    },
    async close() {
      stopping.abort()
      await Promise.allSettled(inProgress.values())
    },
  }
}

function batchOf({ streams, wanted }: EmbeddedRequest): readonly TextStream[] {
  const at = streams.findIndex(({ streamIndex }) => streamIndex === wanted)
  const first = at - (at % STREAMS_AT_ONCE)
  return streams.slice(first, first + STREAMS_AT_ONCE)
}

function nameOf({ path, stamp, streamIndex }: { path: string; stamp: string; streamIndex: number }): string {
  return hash('sha256', JSON.stringify([CACHE_KEY_VERSION, path, stamp, streamIndex]))
}
