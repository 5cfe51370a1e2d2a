import { accessSync, constants } from 'node:fs'
import { describeError } from '../errors/index.ts'
import { processEnvironment } from '../config/index.ts'
import { killOwnChildren } from './kill-processes.ts'

/**
 * Why this process cannot be replaced by a new run of its command line; undefined when it can. A program that was moved since the start
 * must be detected first, because a failed `execve` ends the process.
 */
export function replacementProblem(): string | undefined {
  const [, script] = process.argv
  if (process.execve === undefined) return 'this system cannot replace a process'
  if (script === undefined) return 'the process was not started from a file'
  try {
    accessSync(process.execPath, constants.X_OK)
    accessSync(script, constants.R_OK)
    return undefined
  } catch (error) {
    return `the program is not where it was: ${describeError(error)}`
  }
}

/**
 * Replaces this process by a new run of its command line: the process id, the terminal and the place under a service manager are kept,
 * while the program is read again from disk. Child processes are killed, because the next run could not distinguish them from its own. Does
 * not return.
 */
export function replaceProcess(): never {
  const environment = Object.entries(processEnvironment()).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  const args = [process.execPath, ...process.execArgv, ...process.argv.slice(1)]
  if (process.execve === undefined) throw new Error('this system cannot replace a process')
  killOwnChildren()
  return process.execve(process.execPath, args, Object.fromEntries(environment))
}
