import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'

/** The destination of an archive's bytes. */
export type Sink = {
  write(bytes: Uint8Array): Promise<void>
  /** Flushes to the disk and closes. @returns size and SHA-256 of the file */
  finish(): Promise<{ bytes: number; sha256: string }>
  /** Closes without a flush, after a failure. Idempotent. */
  abandon(): Promise<void>
}

/** Creates a file with mode 0600. @throws the system error if it exists or cannot be written */
export async function openFileSink(path: string): Promise<Sink> {
  const file = await open(path, 'wx', 0o600)
  const hash = createHash('sha256')
  let written = 0
  let isOpen = true
  const close = async (): Promise<void> => {
    if (!isOpen) return
    isOpen = false
    await file.close()
  }
  return {
    async write(bytes) {
      hash.update(bytes)
      for (let start = 0; start < bytes.length;) {
        const { bytesWritten } = await file.write(bytes, start, bytes.length - start)
        start += bytesWritten
      }
      written += bytes.length
    },
    async finish() {
      await file.sync()
      await close()
      return { bytes: written, sha256: hash.digest('hex') }
    },
    abandon: close,
  }
}
