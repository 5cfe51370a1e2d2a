import { spawn, type ChildProcess } from 'node:child_process'
import { childEnvironment } from '../config/index.ts'
import { withDeathSignal } from './death-signal.ts'
import { RUN_TOKEN_VARIABLE, createRunToken } from './run-token.ts'

/** A Unix account that a child runs as. */
export type RunAccount = { uid: number; gid: number }

export type ProgramStart = {
  /** A name on PATH or an absolute path. */
  program: string
  arguments: readonly string[]
  workingDirectory?: string
  /** Variables in addition to the environment of every child. */
  environment?: Readonly<Record<string, string>>
  /** Only root may choose another account. */
  account?: RunAccount | undefined
  /** Whether the kernel kills the program when this process dies. */
  diesWithParent?: boolean
  /** Open file for stdout and stderr. */
  outputDescriptor?: number
  /** Called with the text of stdout and stderr when there is no `outputDescriptor`; for an independent program only with stdout. */
  onOutput?: (text: string) => void
  /**
   * Data directory of this process. The run token in the environment of the program contains it, so that a sweep of orphans finds the
   * program.
   */
  dataDirectory?: string
  /** Whether the program outlives this process: it then has no controlling terminal and no run token. */
  isIndependent?: boolean
  /** Written to stdin, which is then closed. */
  input?: string
}

export type ProgramExit = { exitCode: number | null; signal: string | null; error: Error | undefined }

export type RunningProgram = {
  readonly pid: number | undefined
  readonly ended: Promise<ProgramExit>
  /** Signals the program itself, not its group. */
  kill(signal: NodeJS.Signals): void
}

/** Starts a program that runs for a long time (the database server, its supervisor). `runTool` is for tools that end by themselves. */
export function startProgram(start: ProgramStart): RunningProgram {
  const plain = { program: start.program, arguments: start.arguments }
  const command = start.diesWithParent === true ? withDeathSignal(plain) : plain
  const output = start.outputDescriptor ?? (start.onOutput === undefined ? 'ignore' : 'pipe')
  // The stderr of a program explains its failure. The supervisor is independent, and no process reads its stderr.
  const errors = start.outputDescriptor ?? (output === 'pipe' && start.isIndependent !== true ? 'pipe' : 'ignore')
  const child = spawn(command.program, command.arguments, {
    stdio: [start.input === undefined ? 'ignore' : 'pipe', output, errors],
    detached: start.isIndependent ?? false,
    env: environmentOf(start),
    ...(start.workingDirectory === undefined ? {} : { cwd: start.workingDirectory }),
    ...(start.account === undefined ? {} : start.account),
  })
  connectPipes(child, start)
  const ended = new Promise<ProgramExit>((resolve) => {
    child.once('error', (error) => resolve({ exitCode: null, signal: null, error }))
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal, error: undefined }))
  })
  if (start.isIndependent === true) {
    child.unref()
    if (child.stdout !== null && 'unref' in child.stdout) (child.stdout as { unref(): void }).unref()
  }
  return { pid: child.pid, ended, kill: (signal) => void child.kill(signal) }
}

function connectPipes(child: ChildProcess, { input, onOutput }: ProgramStart): void {
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => onOutput?.(text))
  }
  child.stdin?.on('error', () => {
    // The program ended without reading its input; its end is reported separately.
  })
  child.stdin?.end(input)
}

function environmentOf({
  isIndependent = false,
  environment = {},
  dataDirectory,
}: ProgramStart): Record<string, string> {
  const common = { ...childEnvironment(), ...environment }
  return isIndependent ? common : { ...common, [RUN_TOKEN_VARIABLE]: createRunToken(dataDirectory) }
}
