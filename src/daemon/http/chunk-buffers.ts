/** Large enough to keep a disk busy, small enough for many slow clients: it is the whole memory that one download needs. */
const CHUNK_BYTES = 256 * 1024

/** Number of buffers kept for later responses; further ones are released. */
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
