import { hash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { FailureCache } from '../cache/index.ts'
import { Semaphore } from '../concurrency/index.ts'
import type { Config } from '../config/index.ts'
import { AppError } from '../errors/index.ts'
import { createFileStore, type FileStore } from '../files/index.ts'
import type { Logger } from '../logging/index.ts'
import type { MediaTools } from '../media-tools/index.ts'
import type { Clock } from '../time/index.ts'
import { decodeHeic } from './decode-heic.ts'
import {
  contentTypeOf,
  DRAWERS,
  drawPicture,
  measurePicture,
  type PictureShape,
  type PictureSize,
} from './draw-picture.ts'
import { imageErrors } from './errors.ts'
import { sniffPicture, SNIFFED_BYTES } from './picture-format.ts'

/** Where the bytes of a picture are: in an open file, which is closed after use, or at hand. */
export type PictureInput = { handle: FileHandle; path: string } | { bytes: Uint8Array }

export type PictureSource = {
  /** Changes when the picture does; two pictures never have the same. */
  identity: string
  /** Asked only when the picture has to be drawn. */
  open(): Promise<PictureInput>
  /**
   * Opening asks another server, or searches a film: both take long, so they have turns of their own, and none is opened again for a
   * while after a failure that lasts.
   */
  slow?: { queue: SlowQueue; isLasting: (error: AppError) => boolean } | undefined
}

type SlowQueue = 'servers' | 'films'

/** `etag`: strong, without quotes. */
export type RenderedPicture = { bytes: Buffer; contentType: string; etag: string; modifiedAt: Date }

/** The one place that opens pictures; what it has drawn is kept on disk. */
export type Images = {
  /**
   * A picture in another shape. Drawn once, however many ask; a picture that cannot be drawn is not tried again for ten minutes, be it
   * drawing or `open` that finds it `picture_unreadable`.
   * @throws AppError `picture_unreadable`, `heic_decoder_missing`, `too_many_pictures`, and what `open` throws
   */
  render(source: PictureSource, shape: PictureShape): Promise<RenderedPicture>
  /**
   * A picture that the caller keeps: drawn when it is its turn, nothing of it stays on disk.
   * @throws AppError `picture_unreadable`, `heic_decoder_missing`, `too_many_pictures`
   */
  draw(bytes: Uint8Array, shape: PictureShape): Promise<Buffer>
  /**
   * How large a picture says that it is; drawing finds out whether it is.
   * @throws AppError `picture_unreadable`
   */
  measure(bytes: Uint8Array): Promise<PictureSize>
  /** What was fetched and is kept beside what was drawn of it. */
  store: FileStore
  /** What failed a short while ago, by identity or by whatever key the caller has. */
  failures: FailureCache
  /** Waits for what is being drawn. */
  close(): Promise<void>
}

/** Part of every name: drawn otherwise, drawn anew. */
const DRAWING = 'phlix-picture-1'

/** A page of a list shows a hundred pictures; beyond some pages somebody asks only to burden. */
const MAX_WAITING = 500
const FAILURE_MILLISECONDS = 600_000

/** How many pictures are fetched at the same time, and so in memory before they are drawn; and in how many films is searched. */
const OPENERS = { servers: 6, films: 2 } as const

const semaphoreOf = (permits: number): Semaphore =>
  new Semaphore({ permits, maxWaiting: MAX_WAITING, refusal: () => imageErrors.too_many_pictures() })

type ImagesInput = { config: Config; log: Logger; clock: Clock; mediaTools: MediaTools }

/** Binds pictures to the data directory; opens nothing. */
export function createImages({ config, log, clock, mediaTools }: ImagesInput): Images {
  const directory = join(config.dataDirectory, 'cache', 'artwork')
  const store = createFileStore({
    directory,
    limitBytes: config.options['artwork.cache_bytes'],
    floorBytes: config.options['hls.min_disk_space_bytes'],
    clock,
    log: log.child({ domain: 'images' }),
  })
  const drawingLimit = semaphoreOf(DRAWERS)
  const opening: Record<SlowQueue, Semaphore> = {
    servers: semaphoreOf(OPENERS.servers),
    films: semaphoreOf(OPENERS.films),
  }
  const failures = new FailureCache(clock, FAILURE_MILLISECONDS)
  const drawing = new Map<string, Promise<RenderedPicture>>()

  const draw = async (source: PictureSource, shape: PictureShape, name: string): Promise<RenderedPicture> => {
    const kept = await store.read(name)
    const known = { contentType: contentTypeOf(shape), etag: name }
    if (kept !== undefined) return { ...kept, ...known }
    failures.throwIfFailed(source.identity)
    const bytes = await (source.slow === undefined ? drawOpened(source, shape) : drawSlow(source, source.slow, shape))
    await store.write(name, bytes)
    return { bytes, modifiedAt: clock.now(), ...known }
  }

  /** Opened only when it is its turn, so that few files are open. */
  const drawOpened = (source: PictureSource, shape: PictureShape): Promise<Buffer> =>
    drawingLimit.run(async () => {
      // In another size it may have failed while this one waited.
      failures.throwIfFailed(source.identity)
      const input = await remembering(source, isOfPicture, source.open())
      try {
        return await drawRemembering(source, input, shape)
      } finally {
        if ('handle' in input) await input.handle.close()
      }
    })

  /** A server that is slow, or a long film, keeps no other picture from being drawn. */
  const drawSlow = (
    source: PictureSource,
    { queue, isLasting }: NonNullable<PictureSource['slow']>,
    shape: PictureShape,
  ): Promise<Buffer> =>
    opening[queue].run(async () => {
      // Likewise.
      failures.throwIfFailed(source.identity)
      const input = await remembering(source, isLasting, source.open())
      return drawingLimit.run(() => drawRemembering(source, input, shape))
    })

  const drawRemembering = (source: PictureSource, input: PictureInput, shape: PictureShape): Promise<Buffer> =>
    remembering(
      source,
      isOfPicture,
      drawInput(input, shape, (path) =>
        decodeHeic(mediaTools, { path, directory }, (jpeg) => drawPicture(jpeg, 'jpeg', shape)),
      ),
    )

  const remembering = async <Result>(
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
      const name = hash('sha256', JSON.stringify([DRAWING, source.identity, shape]))
      const running = drawing.get(name) ?? draw(source, shape, name).finally(() => drawing.delete(name))
      drawing.set(name, running)
      return running
    },
    draw: (bytes, shape) =>
      drawingLimit.run(() => drawInput({ bytes }, shape, () => Promise.reject(imageErrors.heic_decoder_missing()))),
    async measure(bytes) {
      if (sniffPicture(bytes) === undefined) throw imageErrors.picture_unreadable()
      return measurePicture(Buffer.from(bytes))
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
  const format = sniffPicture(await headOf(input))
  if (format === undefined || format === 'bmp' || format === 'jxl') throw imageErrors.picture_unreadable()
  if ('bytes' in input) {
    if (format === 'heic') throw imageErrors.heic_decoder_missing()
    return drawPicture(Buffer.from(input.bytes), format, shape)
  }
  if (format === 'heic') return drawHeic(input.path)
  // The open file itself, whatever its path may lead to by now (security FN-06).
  return drawPicture(`/proc/self/fd/${input.handle.fd}`, format, shape)
}

async function headOf(input: PictureInput): Promise<Uint8Array> {
  if ('bytes' in input) return input.bytes.subarray(0, SNIFFED_BYTES)
  const { buffer, bytesRead } = await input.handle.read(Buffer.alloc(SNIFFED_BYTES), 0, SNIFFED_BYTES, 0)
  return buffer.subarray(0, bytesRead)
}

/** Whether a picture is not tried again for a while after this failure. */
export function isOfPicture({ code }: AppError): boolean {
  return [imageErrors.picture_unreadable, imageErrors.heic_decoder_missing].some(
    ({ definition }) => definition.code === code,
  )
}
