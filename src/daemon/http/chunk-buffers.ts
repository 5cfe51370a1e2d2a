/** Size of a buffer: large enough to keep a disk busy, and small enough for many slow clients, because each download needs one buffer. */
const CHUNK_BYTES = 256 * 1024

/** Number of buffers kept for later responses; further buffers are released. */
const MAX_POOLED_BUFFERS = 16

/** Buffers of 256 KiB that downloads use in turn. */
export type ChunkBuffers = {
  take(): Buffer
  /** Keeps a buffer for a later `take`. Nothing may use it afterwards. */
  release(buffer: Buffer): void
}

/** Creates a pool without buffers; it keeps at most 16. */
export function createChunkBuffers(): ChunkBuffers {
  const idle: Buffer[] = []
  return {
    take: () => idle.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES),
    release(buffer) {
      if (idle.length < MAX_POOLED_BUFFERS) idle.push(buffer)
    },
  }
}
