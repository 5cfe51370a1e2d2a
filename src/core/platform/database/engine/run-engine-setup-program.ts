import { startProgram, type RunAccount } from '../../spawn/index.ts'
import { databaseErrors } from '../errors.ts'

export type EngineSetupProgram = {
  /** A name on PATH or an absolute path. */
  program: string
  arguments: readonly string[]
  account: RunAccount | undefined
  dataDirectory: string
  input?: string
}

/**
 * Runs a program that prepares the engine. The program ends with this process.
 * @throws AppError `engine_failed` with the end of its output unless it exits with 0
 */
export async function runEngineSetupProgram({
  program,
  arguments: args,
  account,
  dataDirectory,
  input,
}: EngineSetupProgram): Promise<void> {
  let output = ''
  const running = startProgram({
    program,
    arguments: args,
    workingDirectory: '/',
    account,
    dataDirectory,
    diesWithParent: true,
    onOutput: (text) => {
      output = (output + text).slice(-4000)
    },
    ...(input === undefined ? {} : { input }),
  })
  const { exitCode, error } = await running.ended
  if (exitCode !== 0) {
    throw databaseErrors.engine_failed({
      message: `${program} ended with ${exitCode ?? 'a signal'}: ${output.trim()}`,
      cause: error,
    })
  }
}
