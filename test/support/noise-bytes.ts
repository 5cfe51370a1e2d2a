import { createCipheriv } from 'node:crypto'

const SEED = Buffer.from('noise of the tests, always alike')

/** Bytes that look random and are the same in every run: the key stream of ChaCha20 (RFC 8439). */
export function noiseBytes(count: number): Buffer {
  return createCipheriv('chacha20', SEED, Buffer.alloc(16)).update(Buffer.alloc(count))
}
