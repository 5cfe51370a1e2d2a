import type { ByteSource } from '../../src/core/platform/files/index.ts'

const WINDOW_BYTES = 32 * 1024
const WINDOWS = 3

/** A byte source in memory that counts reads like one of a file: one per window. */
export function memorySource(bytes: Uint8Array): ByteSource & { largestRead: number } {
  const windows: { start: number; end: number }[] = []
  return {
    sizeBytes: bytes.length,
    reads: 0,
    largestRead: 0,
    read(position, length) {
      const wanted = Math.max(0, Math.min(length, bytes.length - position))
      const isKept = windows.some(({ start, end }) => position >= start && position + wanted <= end)
      if (wanted > 0 && !isKept) {
        Object.assign(this, { reads: this.reads + 1, largestRead: Math.max(this.largestRead, wanted) })
        windows.unshift({ start: position, end: position + Math.max(wanted, WINDOW_BYTES) })
        windows.length = Math.min(windows.length, WINDOWS)
      }
      return bytes.subarray(position, position + wanted)
    },
    close() {},
  }
}
