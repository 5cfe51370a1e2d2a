import { Header, Pax } from 'tar'

/** A tar archive consists of blocks of this size and ends with two empty ones (POSIX.1-2017, pax). */
export const BLOCK_BYTES = 512

export const END_BLOCKS = Buffer.alloc(2 * BLOCK_BYTES)

type File = { path: string; bytes: number; modifiedAt: Date }

/**
 * The header blocks of a file. The same file always has the same bytes, so that a reader detects every changed bit by comparing them.
 * A path that does not fit is stored in a preceding extended header.
 */
export function headerBlocks({ path, bytes, modifiedAt }: File): Buffer {
  const data = { path, size: bytes, mode: 0o600, uid: 0, gid: 0, mtime: modifiedAt, type: 'File' as const }
  const header = new Header(data)
  const isExtended = header.encode()
  const block = header.block ?? Buffer.alloc(BLOCK_BYTES)
  return isExtended ? Buffer.concat([new Pax({ path }).encode(), block]) : block
}

/** Number of zero bytes after a file of a size. */
export function paddingBytes(bytes: number): number {
  return (BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES
}
