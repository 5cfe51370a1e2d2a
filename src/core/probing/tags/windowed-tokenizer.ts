import { AbstractTokenizer, EndOfStreamError, type IRandomAccessFileInfo, type IReadChunkOptions } from 'strtok3'
import type { ByteSource } from '../../platform/files/index.ts'
import { hasExcessiveGenres } from './id3-limits.ts'

/**
 * Largest block that a parser may request: an ID3 tag with a large cover is read as one block. Larger claims are rejected before
 * allocation.
 */
const MAX_BLOCK_BYTES = 64 * 1024 * 1024

const WINDOW_BYTES = 32 * 1024

/** Limits per file, in copied bytes and in calls; real files need kilobytes and hundreds. */
const MAX_BYTES = 256 * 1024 * 1024
const MAX_READS = 1_000_000

/** Thrown when a file exceeds the read limits. */
export class ReadBudgetError extends Error {
  override name = 'ReadBudgetError'
}

/** The token interface of music-metadata (it uses the type of @tokenizer/token). */
type Token<T> = { len: number; get(bytes: Uint8Array, offset: number): T }

/**
 * A tokenizer for music-metadata over a windowed, synchronous source. It is several times faster than the library's own, which awaits the
 * file system for every few bytes. Does not close the source.
 */
export class WindowedTokenizer extends AbstractTokenizer {
  readonly fileInfo: IRandomAccessFileInfo
  readonly #source: ByteSource
  readonly #head: Uint8Array
  readonly #tailStart: number
  #tail: Uint8Array | undefined
  #bytes = 0
  #reads = 0

  constructor(source: ByteSource, mimeType: string) {
    super()
    this.#source = source
    this.#head = source.read(0, WINDOW_BYTES)
    this.#tailStart = Math.max(0, source.sizeBytes - WINDOW_BYTES)
    this.fileInfo = { size: source.sizeBytes, mimeType }
  }

  supportsRandomAccess(): boolean {
    return true
  }

  setPosition(position: number): void {
    this.validateLength(position, 'position')
    this.position = position
  }

  async readBuffer(target: Uint8Array, options?: IReadChunkOptions): Promise<number> {
    const { length, position, mayBeLess } = this.normalizeOptions(target, options)
    const count = this.#copy(target, position, length)
    this.position = position + count
    if (count < length && !mayBeLess) throw new EndOfStreamError()
    return count
  }

  async peekBuffer(target: Uint8Array, options?: IReadChunkOptions): Promise<number> {
    const { length, position, mayBeLess } = this.normalizeOptions(target, options)
    const count = this.#copy(target, position, length)
    if (count < length && !mayBeLess) throw new EndOfStreamError()
    return count
  }

  override async readToken<T>(token: Token<T>, position: number = this.position): Promise<T> {
    const value = this.#token(token, position)
    this.position = position + token.len
    return value
  }

  override async peekToken<T>(token: Token<T>, position?: number | null): Promise<T> {
    return this.#token(token, position ?? this.position)
  }

  override async readNumber(token: Token<number>): Promise<number> {
    return this.readToken(token)
  }

  override async peekNumber(token: Token<number>): Promise<number> {
    return this.#token(token, this.position)
  }

  #token<T>(token: Token<T>, position: number): T {
    this.validateLength(position + token.len, 'end position')
    if (token.len > MAX_BLOCK_BYTES) throw new ReadBudgetError('the file holds too large a block')
    if (position + token.len > this.#source.sizeBytes) throw new EndOfStreamError()
    const bytes = new Uint8Array(token.len)
    if (this.#copy(bytes, position, token.len) < token.len) throw new EndOfStreamError()
    this.#checkGenres(bytes, position)
    return token.get(bytes, 0)
  }

  /** Checks the frames of an ID3 tag at the beginning, which the parser reads as one block. */
  #checkGenres(bytes: Uint8Array, position: number): void {
    const isTag = position === 10 && Buffer.from(this.#head.subarray(0, 3)).toString('latin1') === 'ID3'
    if (isTag && hasExcessiveGenres(bytes, this.#head[3] ?? 0))
      throw new ReadBudgetError('the file has too many genres')
  }

  /** Copies the bytes, because parsers modify their buffers and the windows belong to the source. */
  #copy(target: Uint8Array, position: number, length: number): number {
    this.#reads += 1
    this.#bytes += length
    if (this.#reads > MAX_READS || this.#bytes > MAX_BYTES) throw new ReadBudgetError('the file takes too long to read')
    const bytes = this.#bytesAt(position, length)
    target.set(bytes)
    return bytes.length
  }

  /**
   * Returns bytes from one of two windows. Tags are at both ends of a file and parsers alternate between them, so both windows are kept.
   */
  #bytesAt(position: number, length: number): Uint8Array {
    if (position + length <= this.#head.length) return this.#head.subarray(position, position + length)
    if (position < this.#tailStart) return this.#source.read(position, length)
    this.#tail ??= this.#source.read(this.#tailStart, WINDOW_BYTES)
    const start = position - this.#tailStart
    return this.#tail.subarray(start, start + length)
  }
}
