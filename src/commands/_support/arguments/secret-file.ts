import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { systemErrorCode } from '../../../core/platform/errors/index.ts'
import { commandErrors } from '../errors.ts'

/**
 * Reads a file, or standard input for `-`, without a trailing newline. A secret given by this way is not visible in the process list.
 * @throws AppError `usage` if it does not exist or is not a file
 */
export async function readSecretText(path: string): Promise<string> {
  try {
    const content = path === '-' ? await text(process.stdin) : await readFile(path, 'utf8')
    return content.replace(/\r?\n$/, '')
  } catch (error) {
    const word = systemErrorCode(error)
    if (word === undefined || word === 'EACCES') throw error
    throw commandErrors.usage({ message: `The file cannot be read: ${path} (${word})`, cause: error })
  }
}
