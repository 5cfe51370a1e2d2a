import { hash } from 'node:crypto'

/** SHA-256 of a path's exact bytes, 32 bytes: what a path, of any length, is found and kept unique by. */
export function pathHash(path: string): Buffer {
  return hash('sha256', path, 'buffer')
}
