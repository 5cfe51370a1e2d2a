import { constants } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'

const CHUNK_BYTES = 64 * 1024

/** The maximum number of bytes that is read from the end of a file, regardless of the length of its lines. */
const MAX_BYTES = 1024 * 1024

export type FileTail = {
  /** Oldest first, without line terminators. */
  lines: string[]
  /** The file has older lines. */
  isTruncated: boolean
}

/**
 * Reads the last lines of a file from its end. Links are not followed.
 * @throws the system error of open(2) or read(2)
 */
export async function tailFile(path: string, maxLines: number, maxBytes = MAX_BYTES): Promise<FileTail> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    const { size } = await handle.stat()
    const { bytes, start } = await readEnd(handle, { size, maxLines, maxBytes })
    const lines = bytes.toString('utf8').split('\n')
    if (lines.at(-1) === '') lines.pop()
    // The bytes start in the middle of a line.
    if (start > 0 && lines.length > 1) lines.shift()
    return { lines: lines.slice(-maxLines), isTruncated: start > 0 || lines.length > maxLines }
  } finally {
    await handle.close()
  }
}

async function readEnd(
  handle: FileHandle,
  { size, maxLines, maxBytes }: { size: number; maxLines: number; maxBytes: number },
): Promise<{ bytes: Buffer; start: number }> {
  const chunks: Buffer[] = []
  let start = size
  // Counts one more terminator than lines, because the first terminator belongs to the previous line.
  for (let ends = 0; start > 0 && ends <= maxLines && size - start < maxBytes;) {
    const length = Math.min(CHUNK_BYTES, start)
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, start - length)
    // The file was truncated in the meantime.
    if (bytesRead < length) break
    start -= length
    chunks.unshift(buffer)
    ends += buffer.reduce((count, byte) => count + (byte === 0x0a ? 1 : 0), 0)
  }
  return { bytes: Buffer.concat(chunks), start }
}
