import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { fileErrors } from './errors.ts'
import { toFileError } from './file-error.ts'
import { addTrailingSlash } from './inside-root.ts'

/** Minimum size of one read: the headers of most media files are smaller. */
const WINDOW_BYTES = 32 * 1024
/** Number of cached windows: parsing a header alternates between the beginning and the end of the file. */
const WINDOWS = 3

const BLOCK_BYTES = 64 * 1024
const SPARE_BLOCKS = 4

/** Buffers that are reused for the next file; new buffers would trigger garbage collection with every fifth file. */
export type BufferPool = {
  /** A buffer of 64 KiB. Its content is undefined. */
  take(): Buffer
  /** Returns buffers that have no more users. A few are kept. */
  release(blocks: readonly Buffer[]): void
}

/** Creates a pool for one thread. */
export function createBufferPool(): BufferPool {
  const spare: Buffer[] = []
  return {
    take: () => spare.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES),
    release: (blocks) => void spare.push(...blocks.slice(0, SPARE_BLOCKS - spare.length)),
  }
}

/** Random access to an open file; counts its reads. */
export type ByteSource = {
  /** Size when the file was opened. */
  readonly sizeBytes: number
  /** System calls that have read bytes so far. */
  readonly reads: number
  /**
   * Reads at most `length` bytes from `position`, fewer only at the end of the file. The bytes are valid until the source is closed and
   * must not be modified.
   * @throws AppError `file_unreadable` when the device reports an error; RangeError for an invalid position or length
   */
  read(position: number, length: number): Uint8Array
  close(): void
}

/**
 * Opens a regular file inside `root` for random access, with the same checks as `openInsideRoot`. Synchronous: parsing runs in worker
 * threads, where such calls are several times cheaper than promises. Each system call reads at least 32 KiB, and the last windows are
 * cached, so that parsing a header costs one call.
 * @throws AppError `file_not_found`, `path_outside_root`, `not_a_regular_file`, `file_unreadable`
 */
export function openByteSource(pool: BufferPool, root: string, absolutePath: string): ByteSource {
  let descriptor: number | undefined
  try {
    const inside = addTrailingSlash(realpathSync.native(root))
    const target = isAbsolute(absolutePath) ? realpathSync.native(absolutePath) : ''
    if (!target.startsWith(inside)) throw fileErrors.path_outside_root()
    if (!statSync(target).isFile()) throw fileErrors.not_a_regular_file()
    // Non-blocking: the file may have been replaced by a pipe without a writer.
    descriptor = openSync(target, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) throw fileErrors.not_a_regular_file()
    if (!readlinkSync(`/proc/self/fd/${descriptor}`).startsWith(inside)) throw fileErrors.path_outside_root()
    return createWindowedSource(pool, descriptor, stats.size)
  } catch (error) {
    if (descriptor !== undefined) closeSync(descriptor)
    throw toFileError(error)
  }
}

type Window = { start: number; bytes: Uint8Array }

function createWindowedSource(pool: BufferPool, descriptor: number, sizeBytes: number): ByteSource {
  const windows: Window[] = []
  const blocks: Buffer[] = []
  let reads = 0
  let isOpen = true

  function load(position: number, length: number): Window {
    const wanted = Math.min(Math.max(length, WINDOW_BYTES), sizeBytes - position)
    const block = blockFor(wanted)
    reads += 1
    return { start: position, bytes: block.subarray(0, fill(descriptor, block.subarray(0, wanted), position)) }
  }

  /** A new block for each window, because callers still use the previous blocks. Larger blocks are not pooled. */
  function blockFor(length: number): Buffer {
    if (length > BLOCK_BYTES) return Buffer.allocUnsafeSlow(length)
    const block = pool.take()
    blocks.push(block)
    return block
  }

  /** The window that contains the bytes, moved to the front. The least recently used window is dropped. */
  function windowAt(position: number, length: number): Window {
    const at = windows.findIndex(({ start, bytes }) => position >= start && position + length <= start + bytes.length)
    const [found = load(position, length)] = at === -1 ? [] : windows.splice(at, 1)
    windows.unshift(found)
    windows.length = Math.min(windows.length, WINDOWS)
    return found
  }

  return {
    sizeBytes,
    get reads() {
      return reads
    },
    read(position, length) {
      if (!(position >= 0 && length >= 0 && Number.isInteger(position) && Number.isInteger(length))) {
        throw new RangeError(`nothing can be read at ${position}, ${length} bytes`)
      }
      const wanted = Math.min(length, Math.max(0, sizeBytes - position))
      if (wanted === 0) return new Uint8Array()
      const { start, bytes } = windowAt(position, wanted)
      return bytes.subarray(position - start, position - start + wanted)
    },
    close() {
      if (!isOpen) return
      isOpen = false
      windows.length = 0
      pool.release(blocks)
      closeSync(descriptor)
    },
  }
}

/** Fills the block up to the end of the file; a network file system may return several parts. */
function fill(descriptor: number, block: Uint8Array, position: number): number {
  let filled = 0
  try {
    while (filled < block.length) {
      const count = readSync(descriptor, block, filled, block.length - filled, position + filled)
      // The file was truncated after it was opened.
      if (count === 0) break
      filled += count
    }
  } catch (error) {
    throw toFileError(error)
  }
  return filled
}
