import type { ByteSource } from '../../platform/files/index.ts'
import { rejectHeader } from './unsupported-header.ts'

const MAX_READS = 2048
const MAX_READ_BYTES = 16 * 1024 * 1024
const MAX_BYTES = 64 * 1024 * 1024

/** Read-only access to a file for the header readers, with limits. */
export type HeaderSource = Pick<ByteSource, 'sizeBytes' | 'read'>

/**
 * Limits the reads of a hostile header to 2,048 reads and 64 MiB in total, and 16 MiB per read. A read past the end of the file is
 * rejected as well, so that no structure is processed partially.
 */
export function limitHeaderReads(source: ByteSource): HeaderSource {
  let bytes = 0
  const readsBefore = source.reads
  return {
    sizeBytes: source.sizeBytes,
    read(position, length) {
      if (!Number.isSafeInteger(position) || position < 0 || position + length > source.sizeBytes) {
        rejectHeader('the file ends inside its header')
      }
      if (length > MAX_READ_BYTES) rejectHeader('a header of an implausible size')
      const reads = source.reads
      const block = source.read(position, length)
      if (block.length < length) rejectHeader('the file became shorter')
      if (source.reads > reads) bytes += length
      if (source.reads - readsBefore > MAX_READS || bytes > MAX_BYTES)
        rejectHeader('a header that is spread too widely')
      return block
    },
  }
}

/** Returns the bytes at a position, fewer at the end of the file. */
export function readUpTo(source: HeaderSource, position: number, length: number): Uint8Array {
  return source.read(position, Math.max(0, Math.min(length, source.sizeBytes - position)))
}
