import { hash } from 'node:crypto'
import { join } from 'node:path'
import type { Config } from '../platform/config/index.ts'
import { AppError, describeError } from '../platform/errors/index.ts'
import { createFileStore } from '../platform/files/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { MediaTools } from '../platform/media-tools/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { subtitleErrors } from './errors.ts'
import { extractTexts } from './extract-texts.ts'
import type { TextStream } from './extract-words.ts'

/** A film, and which of its texts is wanted. */
export type EmbeddedRequest = {
  /** Absolute; proven to be the library's. */
  path: string
  /** Changes with the film. */
  stamp: string
  /** All of its text streams: they are read out together, since that means reading the whole film. */
  streams: readonly TextStream[]
  /** `streamIndex` of one of them. */
  wanted: number
}

/** The texts inside films; each film is read once, one at a time, and its texts are kept. */
export type EmbeddedTexts = {
  /**
   * The text of a stream in the form that it has in the film, its times on the film's own clock.
   * @throws AppError `subtitle_in_progress` when reading takes longer than anybody waits, `subtitle_unavailable`,
   *   `tool_missing`
   */
  read(request: EmbeddedRequest): Promise<Uint8Array>
  /** Stops reading and waits until nothing runs any more. */
  close(): Promise<void>
}

type Parts = { config: Config; log: Logger; clock: Clock; mediaTools: Pick<MediaTools, 'encode'> }

/** About a thousand films with several tracks. */
const STORE_BYTES = 256 * 1024 * 1024

/** Written in one reading; more tracks of a film take another. */
const STREAMS_AT_ONCE = 32
const MAX_QUEUE = 20
const FAILURE_MILLISECONDS = 60_000

/** Half of what a silent connection lives: reading a film of many gigabytes goes on, and who asks again later finds it done. */
const MAX_WAIT_MILLISECONDS = 60_000
const RETRY_SECONDS = 10

/** Part of every name: read otherwise, read anew. */
const READING = 'phlix-subtitle-1'

/** Binds the texts inside films to the data directory; opens nothing. */
export function createEmbeddedTexts(
  { config, log, clock, mediaTools }: Parts,
  { waitMilliseconds = MAX_WAIT_MILLISECONDS }: { waitMilliseconds?: number } = {},
): EmbeddedTexts {
  const directory = join(config.dataDirectory, 'cache', 'subtitles')
  const floorBytes = config.options['hls.min_disk_space_bytes']
  const logger = log.child({ domain: 'subtitles' })
  const store = createFileStore({ directory, limitBytes: STORE_BYTES, floorBytes, clock, log: logger })
  const stopping = new AbortController()
  const underway = new Map<string, Promise<void>>()
  const failedAt = new Map<string, number>()
  let last: Promise<void> = Promise.resolve()

  async function readOut({ path, stamp }: EmbeddedRequest, streams: readonly TextStream[]): Promise<void> {
    stopping.signal.throwIfAborted()
    const texts = extractTexts({ mediaTools, draftFolder: directory }, { path, streams, floorBytes }, stopping.signal)
    for await (const { streamIndex, bytes } of texts) {
      // What is empty counts as not kept.
      await store.write(nameOf({ path, stamp, streamIndex }), bytes.length > 0 ? bytes : Buffer.from('\n'))
    }
  }

  function hasFailed(key: string): boolean {
    const now = clock.monotonicMilliseconds()
    for (const [other, at] of failedAt) if (now - at >= FAILURE_MILLISECONDS) failedAt.delete(other)
    return failedAt.has(key)
  }

  async function takeTurn(key: string, request: EmbeddedRequest, streams: readonly TextStream[]): Promise<void> {
    const before = last
    try {
      await before
      await readOut(request, streams)
    } catch (error) {
      if (stopping.signal.aborted) throw subtitleErrors.subtitle_unavailable({ cause: error })
      failedAt.set(key, clock.monotonicMilliseconds())
      logger.warning({ reason: describeError(error) }, 'subtitles inside a film could not be read out')
      throw error instanceof AppError ? error : subtitleErrors.subtitle_unavailable({ cause: error })
    } finally {
      underway.delete(key)
    }
  }

  /** Whoever asks for a film that is being read waits for the same reading. */
  function readFilm(request: EmbeddedRequest): Promise<void> {
    const streams = batchOf(request)
    const key = nameOf({ ...request, streamIndex: streams[0]?.streamIndex ?? -1 })
    const running = underway.get(key)
    if (running !== undefined) return running
    if (hasFailed(key) || underway.size >= MAX_QUEUE) throw subtitleErrors.subtitle_unavailable()
    const reading = takeTurn(key, request, streams)
    underway.set(key, reading)
    last = reading.catch(() => {})
    return reading
  }

  return {
    async read(request) {
      const name = nameOf({ ...request, streamIndex: request.wanted })
      const kept = await store.read(name)
      if (kept !== undefined) return kept.bytes
      await withinWait(readFilm(request), waitMilliseconds)
      const made = await store.read(name)
      if (made === undefined) throw subtitleErrors.subtitle_unavailable()
      return made.bytes
    },
    async close() {
      stopping.abort()
      await Promise.allSettled(underway.values())
    },
  }
}

/** What is waited for goes on, also when nobody does any more. */
async function withinWait(reading: Promise<void>, milliseconds: number): Promise<void> {
  const tooLong = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    tooLong.reject(subtitleErrors.subtitle_in_progress({ retryAfterSeconds: RETRY_SECONDS }))
  }, milliseconds)
  try {
    await Promise.race([reading, tooLong.promise])
  } finally {
    clearTimeout(timer)
  }
}

function batchOf({ streams, wanted }: EmbeddedRequest): readonly TextStream[] {
  const at = streams.findIndex(({ streamIndex }) => streamIndex === wanted)
  const first = at - (at % STREAMS_AT_ONCE)
  return streams.slice(first, first + STREAMS_AT_ONCE)
}

function nameOf({ path, stamp, streamIndex }: { path: string; stamp: string; streamIndex: number }): string {
  return hash('sha256', JSON.stringify([READING, path, stamp, streamIndex]))
}
