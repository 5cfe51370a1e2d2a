import { hash } from 'node:crypto'

/** SHA-256 of the exact bytes of a path, 32 bytes. Paths of any length are indexed and kept unique by it. */
export function pathHash(path: string): Buffer {
  return hash('sha256', path, 'buffer')
}
