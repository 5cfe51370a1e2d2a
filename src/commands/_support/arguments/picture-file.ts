import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { AppError, systemErrorCode } from '../../../core/platform/errors/index.ts'

/**
 * Reads a file given by the user; a pipe is refused without waiting.
 * @param input.maxBytes of a larger file only one byte more than this is read
 * @throws AppError `file_not_found`, `not_a_regular_file`, `file_unreadable`
 */
export async function readPictureFile(path: string, { maxBytes }: { maxBytes: number }): Promise<Buffer> {
  const { fileErrors } = await import('../../../core/platform/files/index.ts')
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const stats = await file.stat()
    if (!stats.isFile()) throw fileErrors.not_a_regular_file({ message: `${path} is not a regular file` })
    const bytes = Buffer.alloc(Math.min(stats.size, maxBytes + 1))
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0)
    return bytes.subarray(0, bytesRead)
  } catch (error) {
    if (error instanceof AppError) throw error
    const word = systemErrorCode(error)
    if (word === undefined) throw error
    if (word === 'ENOENT' || word === 'ENOTDIR') {
      throw fileErrors.file_not_found({ message: `There is no file ${path}`, cause: error })
    }
    throw fileErrors.file_unreadable({ message: `${path} cannot be read (${word})`, cause: error })
  }
}
