import { accessSync, constants } from 'node:fs'
import { describeError } from '../errors/index.ts'
import { processEnvironment } from '../config/index.ts'
import { killOwnChildren } from './run-token.ts'

/**
 * Why this process could not begin its own command line again; undefined when it can. A program that has moved since the start must
 * be found out before: `execve` that fails ends the process.
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
 * Begins the command line of this process again, in the same process: its id, terminal and place under a supervisor stay, while the
 * program is read again from the disk. Programs that this run has started and not ended are killed, because the next run could not tell
 * them from its own; all else of the old run ends with it. Does not return.
 */
export function replaceProcess(): never {
  const environment = Object.entries(processEnvironment()).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  const words = [process.execPath, ...process.execArgv, ...process.argv.slice(1)]
  if (process.execve === undefined) throw new Error('this system cannot replace a process')
  killOwnChildren()
  return process.execve(process.execPath, words, Object.fromEntries(environment))
}
