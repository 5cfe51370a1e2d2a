import { Readable } from 'node:stream'
import { inflateRawSync } from 'node:zlib'
import { fromRandomAccessReaderPromise, RandomAccessReader, type Entry, type ZipFile } from 'yauzl'
import { AppError } from '../../platform/errors/index.ts'
import type { ByteSource } from '../../platform/files/index.ts'
import { UnreadableBook } from './probed-book.ts'

/** Books have hundreds of entries, large comic archives some thousands. */
const MAX_ENTRIES = 20_000

/** Text compresses about tenfold; a ratio above 200 indicates a decompression bomb. */
const MAX_COMPRESSION_RATIO = 200
const RATIO_FREE_BYTES = 1024 * 1024

const STORED = 0
const DEFLATED = 8

/** A ZIP archive whose central directory has been read and checked. Nothing is written to disk. */
export type BookArchive = {
  /** File names in the order of the central directory, without folders. */
  names: readonly string[]
  /**
   * Returns the bytes of an entry; undefined if there is none of that name.
   * @throws UnreadableBook if it is encrypted, has an unknown compression, exceeds `maxBytes`, or is broken
   */
  read(name: string, maxBytes: number): Promise<Buffer | undefined>
}

/**
 * Opens a ZIP archive. Rejects archives with more than 20,000 entries, with names that lead out of it (`..`, `/x`, `C:x`), or with a
 * broken central directory.
 * @throws UnreadableBook; AppError `file_unreadable` if the device reports an error
 */
export async function openBookArchive(source: ByteSource): Promise<BookArchive> {
  const options = { autoClose: false, lazyEntries: true, validateEntrySizes: true }
  const zip = await unreadableOnError(
    fromRandomAccessReaderPromise(new SourceReader(source), source.sizeBytes, options),
  )
  if (zip.entryCount > MAX_ENTRIES) throw new UnreadableBook('too_large', 'the archive has too many entries')
  const entries = await unreadableOnError(listEntries(zip))
  return {
    names: [...entries.keys()],
    async read(name, maxBytes) {
      const entry = entries.get(name)
      return entry === undefined ? undefined : readEntry(source, zip, { entry, maxBytes })
    },
  }
}

/** Lists the entries of an archive by name; of several entries with the same name the first is used. */
async function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) {
    if (!entry.fileName.endsWith('/') && !entries.has(entry.fileName)) entries.set(entry.fileName, entry)
  }
  return entries
}

async function readEntry(
  source: ByteSource,
  zip: ZipFile,
  { entry, maxBytes }: { entry: Entry; maxBytes: number },
): Promise<Buffer> {
  const { compressedSize, uncompressedSize, compressionMethod } = entry
  if (entry.isEncrypted()) throw new UnreadableBook('encrypted', 'the archive is encrypted')
  const isBomb = uncompressedSize > RATIO_FREE_BYTES && uncompressedSize > compressedSize * MAX_COMPRESSION_RATIO
  if (isBomb || uncompressedSize > maxBytes || compressedSize > maxBytes) {
    throw new UnreadableBook('too_large', 'the archive holds too large an entry')
  }
  const { fileDataStart } = await unreadableOnError(zip.readLocalFileHeaderPromise(entry, { minimal: true }))
  const packed = source.read(fileDataStart, compressedSize)
  if (compressionMethod === STORED) return Buffer.from(packed)
  if (compressionMethod !== DEFLATED) throw new UnreadableBook('damaged', 'the archive is packed in an unknown way')
  // Limits the output to the declared size, regardless of the data.
  return unreadableOnError(async () => inflateRawSync(packed, { maxOutputLength: Math.max(1, uncompressedSize) }))
}

async function unreadableOnError<T>(work: Promise<T> | (() => Promise<T>)): Promise<T> {
  try {
    return await (typeof work === 'function' ? work() : work)
  } catch (error) {
    if (error instanceof AppError) throw error
    const reason = error instanceof Error ? error.message.slice(0, 200) : 'unknown'
    throw new UnreadableBook('damaged', `the archive is broken: ${reason}`)
  }
}

/** Adapts a byte source for yauzl: reads are synchronous and use the source's window. */
class SourceReader extends RandomAccessReader {
  readonly #source: ByteSource

  constructor(source: ByteSource) {
    super()
    this.#source = source
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from([Buffer.from(this.#source.read(start, end - start))])
  }

  // yauzl's own signature.
  // oxlint-disable-next-line eslint/max-params
  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    const error = this.#fill(buffer.subarray(offset, offset + length), position)
    // The callback is never synchronous, because with thousands of entries the stack would overflow.
    setImmediate(() => callback(error))
  }

  #fill(target: Buffer, position: number): Error | null {
    try {
      const bytes = this.#source.read(position, target.length)
      target.set(bytes)
      return bytes.length < target.length ? new Error('the file ends too early') : null
    } catch (error) {
      return error instanceof Error ? error : new Error('the file cannot be read', { cause: error })
    }
  }
}
