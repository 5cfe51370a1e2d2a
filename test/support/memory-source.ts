import type { ByteSource } from '../../src/core/platform/files/index.ts'

const WINDOW_BYTES = 32 * 1024

/** A byte source over bytes in memory that counts reads as one over a file does: one per window. */
export function memorySource(bytes: Uint8Array): ByteSource & { largestRead: number } {
  let [start, end] = [0, 0]
  return {
    sizeBytes: bytes.length,
    reads: 0,
    largestRead: 0,
    read(position, length) {
      const wanted = Math.max(0, Math.min(length, bytes.length - position))
      if (wanted > 0 && (position < start || position + wanted > end)) {
        Object.assign(this, { reads: this.reads + 1, largestRead: Math.max(this.largestRead, wanted) })
        start = position
        end = Math.min(bytes.length, position + Math.max(wanted, WINDOW_BYTES))
      }
      return bytes.subarray(position, position + wanted)
    },
    close() {},
  }
}
