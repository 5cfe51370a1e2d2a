import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { systemErrorCode } from '../../core/platform/errors/index.ts'
import { commandErrors } from './errors.ts'

/**
 * What a file says, `-` being standard input, without a trailing newline: the way to give a secret that keeps it out of the process
 * list.
 * @throws AppError `usage` for a file that is not there or no file
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
