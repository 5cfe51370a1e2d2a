import type { FileHandle } from 'node:fs/promises'
import { damagedBackupError } from './damaged-backup-error.ts'

/** Reads exactly this many bytes. @throws AppError `backup_damaged` at the end of the file */
export async function readBytes(file: FileHandle, position: number, bytes: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(bytes)
  for (let done = 0; done < bytes;) {
    const { bytesRead } = await file.read(buffer, done, bytes - done, position + done)
    if (bytesRead === 0) throw damagedBackupError('it ends too early')
    done += bytesRead
  }
  return buffer
}
