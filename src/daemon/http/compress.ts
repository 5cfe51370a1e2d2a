import { pipeline, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  zstdCompress,
  type BrotliOptions,
  type ZlibOptions,
  type ZstdOptions,
} from 'node:zlib'
import type { ContentCoding } from './content-coding.ts'

/** A smaller reply fits into one packet in any form (RFC 9110 sets no limit; 1 KiB is usual). */
export const MIN_COMPRESSED_LENGTH = 1024

/** Distance over which repetitions are found: several rows of a list. It determines the memory of a stream. */
const WINDOW_BITS = 17

/** Most replies fit into one buffer of this size, so that they are compressed in one step. */
const CHUNK_BYTES = 32 * 1024

/** The levels are the fastest ones after which the size of lists hardly decreases. */
const ZSTD: ZstdOptions = {
  chunkSize: CHUNK_BYTES,
  params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_windowLog]: WINDOW_BITS },
}
const BROTLI: BrotliOptions = {
  chunkSize: CHUNK_BYTES,
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 4,
    [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  },
}
const GZIP: ZlibOptions = { chunkSize: CHUNK_BYTES }

const compressors = {
  zstd: {
    whole: (bytes: Buffer) => promisify(zstdCompress)(bytes, { ...ZSTD, pledgedSrcSize: bytes.length }),
    stream: () => createZstdCompress(ZSTD),
  },
  br: {
    whole: (bytes: Buffer) => promisify(brotliCompress)(bytes, BROTLI),
    stream: () => createBrotliCompress(BROTLI),
  },
  gzip: { whole: (bytes: Buffer) => promisify(gzip)(bytes, GZIP), stream: () => createGzip(GZIP) },
} satisfies Record<ContentCoding, object>

/** Compresses a reply in the thread pool, so that other requests are served meanwhile. */
export async function compress(body: string | Buffer, coding: ContentCoding): Promise<Buffer> {
  return compressors[coding].whole(typeof body === 'string' ? Buffer.from(body) : body)
}

/**
 * Compresses a reply while it is made. No more is read than the client takes, apart from the buffers of the compressor. If one of the two
 * streams fails or is destroyed, the other one is destroyed too.
 */
export function compressStream(source: Readable, coding: ContentCoding): Readable {
  // The result emits the error.
  return pipeline(source, compressors[coding].stream(), () => undefined)
}

/** Coding of files that are compressed once and sent often. */
export type FileCoding = Extract<ContentCoding, 'br' | 'gzip'>

/** The preferred first. */
export const FILE_CODINGS: readonly FileCoding[] = ['br', 'gzip']

/** Brotli 9 takes 50 ms for the largest script; 11 takes a second for 8 % less, and the first client would wait for it. */
const FILE_QUALITY = 9

/** Compresses a file as well as a client that waits for it allows. */
export async function compressFile(bytes: Buffer, coding: FileCoding): Promise<Buffer> {
  if (coding === 'gzip') return promisify(gzip)(bytes, { level: 9 })
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: FILE_QUALITY,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  return promisify(brotliCompress)(bytes, { params })
}
