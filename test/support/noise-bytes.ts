import { createCipheriv } from 'node:crypto'

const SEED = Buffer.from('noise of the tests, always alike')

/**
 * Bytes that look random and are the same in every run: the key stream of ChaCha20 (RFC 8439).
 * @param stream another one has other bytes
 */
export function noiseBytes(count: number, stream = 0): Buffer {
  const start = Buffer.alloc(16)
  start.writeUInt32LE(stream, 4)
  return createCipheriv('chacha20', SEED, start).update(Buffer.alloc(count))
}
