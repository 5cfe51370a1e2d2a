import { hash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { FailureCache } from '../cache/index.ts'
import { Semaphore, shareRunning } from '../concurrency/index.ts'
import type { Config } from '../config/index.ts'
import { AppError } from '../errors/index.ts'
import { createFileStore, type FileStore, detectPictureFormat, SNIFFED_BYTES } from '../files/index.ts'
import type { Logger } from '../logging/index.ts'
import type { MediaTools } from '../media-tools/index.ts'
import type { Clock } from '../time/index.ts'
import { decodeHeic } from './decode-heic.ts'
import { DRAW_CONCURRENCY } from './draw-concurrency.ts'
import { pictureContentType, drawPicture, measurePicture, type PictureShape, type PictureSize } from './draw-picture.ts'
import { imageErrors } from './errors.ts'
import { decodePixels, encodePixels, type Pixels } from './pixels.ts'

/** The content of a picture: an open file, which is closed after use, or bytes. */
export type PictureInput = { handle: FileHandle; path: string } | { bytes: Uint8Array }

export type PictureSource = {
  /** A key that changes with the picture and is unique to it. */
  identity: string
  /** Called only when the picture has to be drawn. */
  open(): Promise<PictureInput>
  /**
   * For sources that are slow to open (another server, a frame of a film). They have their own concurrency limit, and a source is not
   * opened again for a while after a lasting failure.
   */
  slow?: { queue: SlowQueue; isLasting: (error: AppError) => boolean } | undefined
}

type SlowQueue = 'servers' | 'films'

/** `etag`: strong, without the quotes. */
export type RenderedPicture = { bytes: Buffer; contentType: string; etag: string; modifiedAt: Date }

/** The only place that decodes pictures. Rendered pictures are cached on disk. */
export type Images = {
  /**
   * Returns a picture in a shape. Concurrent calls share one rendering. A failed picture is not tried again for ten minutes, whether
   * drawing it failed or `open` reported `picture_unreadable`.
   * @throws AppError `picture_unreadable`, `heic_decoder_missing`, `too_many_pictures`, and errors of `open`
   */
  render(source: PictureSource, shape: PictureShape): Promise<RenderedPicture>
  /**
   * Renders a picture that the caller stores: it is not cached on disk.
   * @throws AppError `picture_unreadable`, `heic_decoder_missing`, `too_many_pictures`
   */
  draw(bytes: Uint8Array, shape: PictureShape): Promise<Buffer>
  /** Encodes pixels as JPEG; the caller stores it. One at a time, without regard to the pictures that requests wait for. */
  encode(pixels: Pixels, quality: number): Promise<Buffer>
  /**
   * Decodes a picture in a size. For pictures that this server has made.
   * @throws AppError `picture_unreadable`
   */
  decode(bytes: Uint8Array, size: PictureSize): Promise<Pixels>
  /**
   * Reads the dimensions from the header of a picture, without decoding it.
   * @throws AppError `picture_unreadable`
   */
  measure(bytes: Uint8Array): Promise<PictureSize>
  /** Stores fetched and rendered pictures. */
  store: FileStore
  /** Recent failures, by identity or by another key of the caller. */
  failures: FailureCache
  /** Waits for the running renderings. */
  close(): Promise<void>
}

/** Part of every cache key. A new version invalidates all rendered pictures. */
const RENDERING_VERSION = 'phlix-picture-1'

/** One page of a list shows a hundred pictures; a longer queue indicates abuse. */
const MAX_WAITING = 500
const FAILURE_MILLISECONDS = 600_000

/**
 * Number of sources that are opened concurrently: downloads, whose bytes stay in memory until they are drawn, and searches for frames in
 * films.
 */
const OPEN_CONCURRENCY = { servers: 6, films: 2 } as const

const semaphoreOf = (permits: number): Semaphore =>
  new Semaphore({ permits, maxWaiting: MAX_WAITING, refusal: () => imageErrors.too_many_pictures() })

type ImagesInput = { config: Config; log: Logger; clock: Clock; mediaTools: MediaTools }

/** Creates the picture service of a data directory; opens nothing. */
export function createImages({ config, log, clock, mediaTools }: ImagesInput): Images {
  const directory = join(config.dataDirectory, 'cache', 'artwork')
  const store = createFileStore({
    directory,
    limitBytes: config.options['artwork.cache_bytes'],
    floorBytes: config.options['hls.min_disk_space_bytes'],
    clock,
    log: log.child({ domain: 'images' }),
  })
  const drawingLimit = semaphoreOf(DRAW_CONCURRENCY)
  // Background work waits here, however many requests wait above.
  const pixelLimit = new Semaphore({ permits: 1 })
  const opening: Record<SlowQueue, Semaphore> = {
    servers: semaphoreOf(OPEN_CONCURRENCY.servers),
    films: semaphoreOf(OPEN_CONCURRENCY.films),
  }
  const failures = new FailureCache(clock, FAILURE_MILLISECONDS)
  const drawing = new Map<string, Promise<RenderedPicture>>()

  const draw = async (source: PictureSource, shape: PictureShape, name: string): Promise<RenderedPicture> => {
    const cached = await store.read(name)
    const known = { contentType: pictureContentType(shape), etag: name }
    if (cached !== undefined) return { ...cached, ...known }
    failures.throwIfFailed(source.identity)
    const bytes = await (source.slow === undefined ? drawOpened(source, shape) : drawSlow(source, source.slow, shape))
    await store.write(name, bytes)
    return { bytes, modifiedAt: clock.now(), ...known }
  }

  /** Opened only after a permit was acquired, so that few files are open. */
  const drawOpened = (source: PictureSource, shape: PictureShape): Promise<Buffer> =>
    drawingLimit.run(async () => {
      // A rendering in another size may have failed while this one waited.
      failures.throwIfFailed(source.identity)
      const input = await cacheFailures(source, isPermanentPictureError, source.open())
      try {
        return await drawCachingFailures(source, input, shape)
      } finally {
        if ('handle' in input) await input.handle.close()
      }
    })

  /** A slow server or a long film does not delay other pictures. */
  const drawSlow = (
    source: PictureSource,
    { queue, isLasting }: NonNullable<PictureSource['slow']>,
    shape: PictureShape,
  ): Promise<Buffer> =>
    opening[queue].run(async () => {
      // The source may have failed while this request waited.
      failures.throwIfFailed(source.identity)
      const input = await cacheFailures(source, isLasting, source.open())
      return drawingLimit.run(() => drawCachingFailures(source, input, shape))
    })

  const drawCachingFailures = (source: PictureSource, input: PictureInput, shape: PictureShape): Promise<Buffer> =>
    cacheFailures(
      source,
      isPermanentPictureError,
      drawInput(input, shape, (path) =>
        decodeHeic(mediaTools, { path, directory }, (jpeg) => drawPicture(jpeg, 'jpeg', shape)),
      ),
    )

  const cacheFailures = async <Result>(
    { identity }: PictureSource,
    isLasting: (error: AppError) => boolean,
    work: Promise<Result>,
  ): Promise<Result> => {
    try {
      return await work
    } catch (error) {
      if (error instanceof AppError && isLasting(error)) failures.add(identity, error)
      throw error
    }
  }

  return {
    store,
    failures,
    render(source, shape) {
      const name = hash('sha256', JSON.stringify([RENDERING_VERSION, source.identity, shape]))
      return shareRunning(drawing, name, () => draw(source, shape, name))
    },
    draw: (bytes, shape) =>
      drawingLimit.run(() => drawInput({ bytes }, shape, () => Promise.reject(imageErrors.heic_decoder_missing()))),
    encode: (pixels, quality) => pixelLimit.run(() => encodePixels(pixels, quality)),
    decode: (bytes, size) => pixelLimit.run(() => decodePixels(bytes, size)),
    async measure(bytes) {
      if (detectPictureFormat(bytes) === undefined) throw imageErrors.picture_unreadable()
      return measurePicture(bytes)
    },
    async close() {
      await Promise.allSettled(drawing.values())
    },
  }
}

async function drawInput(
  input: PictureInput,
  shape: PictureShape,
  drawHeic: (path: string) => Promise<Buffer>,
): Promise<Buffer> {
  const format = detectPictureFormat(await headOf(input))
  if (format === undefined || format === 'bmp' || format === 'jxl') throw imageErrors.picture_unreadable()
  if ('bytes' in input) {
    if (format === 'heic') throw imageErrors.heic_decoder_missing()
    return drawPicture(input.bytes, format, shape)
  }
  if (format === 'heic') return drawHeic(input.path)
  // The open file itself, even if the path refers to another file by now.
  return drawPicture(`/proc/self/fd/${input.handle.fd}`, format, shape)
}

async function headOf(input: PictureInput): Promise<Uint8Array> {
  if ('bytes' in input) return input.bytes.subarray(0, SNIFFED_BYTES)
  const { buffer, bytesRead } = await input.handle.read(Buffer.alloc(SNIFFED_BYTES), 0, SNIFFED_BYTES, 0)
  return buffer.subarray(0, bytesRead)
}

/** Whether the picture is not tried again for a while after this failure. */
export function isPermanentPictureError({ code }: AppError): boolean {
  return [imageErrors.picture_unreadable, imageErrors.heic_decoder_missing].some(
    ({ definition }) => definition.code === code,
  )
}
