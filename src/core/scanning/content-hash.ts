import { createHash } from 'node:crypto'
import { openInsideRoot } from '../platform/files/index.ts'

const END_BYTES = 65_536

/**
 * SHA-256 over the first and the last 64 KiB of a file, 32 bytes: tells two files of one name and size apart without reading
 * gigabytes (decisions 3.5, canonical key).
 * @throws AppError as `openInsideRoot`
 */
export async function hashEnds(root: string, path: string): Promise<Buffer> {
  const file = await openInsideRoot(root, path)
  try {
    const { size } = await file.stat()
    const hash = createHash('sha256')
    const buffer = Buffer.alloc(Math.min(Math.max(size, 1), END_BYTES))
    for (const position of size > END_BYTES ? [0, Math.max(size - END_BYTES, END_BYTES)] : [0]) {
      const { bytesRead } = await file.read({ buffer, position })
      hash.update(buffer.subarray(0, bytesRead))
    }
    return hash.digest()
  } finally {
    await file.close()
  }
}
