import type { ByteSource } from '../../platform/files/index.ts'
import { doubt } from './doubt.ts'

const MOST_READS = 2048
const LONGEST_READ_BYTES = 16 * 1024 * 1024
const MOST_BYTES = 64 * 1024 * 1024

/** What the readers see of a file: only reading, and not without end. */
export type HeaderSource = Pick<ByteSource, 'sizeBytes' | 'read'>

/**
 * A source on which a hostile header can spend no more than 2,048 reads and 64 MiB, 16 MiB at once; beyond that is doubt. A
 * block that the file does not hold whole is doubt as well, so that nobody works with half a structure.
 */
export function boundSource(source: ByteSource): HeaderSource {
  let bytes = 0
  const readsBefore = source.reads
  return {
    sizeBytes: source.sizeBytes,
    read(position, length) {
      if (!Number.isSafeInteger(position) || position < 0 || position + length > source.sizeBytes) {
        doubt('the file ends inside its header')
      }
      if (length > LONGEST_READ_BYTES) doubt('a header larger than anybody needs')
      const reads = source.reads
      const block = source.read(position, length)
      if (block.length < length) doubt('the file became shorter')
      if (source.reads > reads) bytes += length
      if (source.reads - readsBefore > MOST_READS || bytes > MOST_BYTES) doubt('a header that is spread too widely')
      return block
    },
  }
}

/** The bytes at a position, fewer where the file ends before. */
export function readUpTo(source: HeaderSource, position: number, length: number): Uint8Array {
  return source.read(position, Math.max(0, Math.min(length, source.sizeBytes - position)))
}
