import { spawn, type ChildProcess } from 'node:child_process'
import { childEnvironment } from '../config/index.ts'
import { withDeathSignal } from './death-signal.ts'
import { currentRunToken, RUN_TOKEN_NAME } from './run-token.ts'

/** A Unix account that a child runs as. */
export type RunAccount = { uid: number; gid: number }

export type ProgramStart = {
  /** A name on PATH or an absolute path. */
  program: string
  arguments: readonly string[]
  workingDirectory?: string
  /** Beside what every child gets. */
  environment?: Readonly<Record<string, string>>
  /** Only root may choose another account than its own. */
  account?: RunAccount | undefined
  /** Killed by the kernel when this process dies. */
  isBound?: boolean
  /** Open file that takes stdout and stderr. */
  outputDescriptor?: number
  /** Called with what the program prints, when there is no output file; of an independent one only stdout. */
  onOutput?: (text: string) => void
  /** Outlives this process: neither its terminal nor its run token hold it. */
  isIndependent?: boolean
  /** Written to stdin, which is then closed. */
  input?: string
}

export type ProgramEnd = { exitCode: number | null; signal: string | null; error: Error | undefined }

export type RunningProgram = {
  readonly pid: number | undefined
  readonly ended: Promise<ProgramEnd>
  /** Signals the program itself, not its group. */
  kill(signal: NodeJS.Signals): void
}

/** Starts a program that lives long (the database server, its keeper). Tools that end by themselves use `runTool`. */
export function startProgram(start: ProgramStart): RunningProgram {
  const plain = { program: start.program, arguments: start.arguments }
  const command = start.isBound === true ? withDeathSignal(plain) : plain
  const output = start.outputDescriptor ?? (start.onOutput === undefined ? 'ignore' : 'pipe')
  // A tool's own words say why it failed; the keeper's stderr belongs to nobody.
  const errors = start.outputDescriptor ?? (output === 'pipe' && start.isIndependent !== true ? 'pipe' : 'ignore')
  const child = spawn(command.program, command.arguments, {
    stdio: [start.input === undefined ? 'ignore' : 'pipe', output, errors],
    detached: start.isIndependent ?? false,
    env: environmentOf(start),
    ...(start.workingDirectory === undefined ? {} : { cwd: start.workingDirectory }),
    ...(start.account === undefined ? {} : start.account),
  })
  connectPipes(child, start)
  const ended = new Promise<ProgramEnd>((resolve) => {
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
    // The program ended without reading; how it ended says why.
  })
  child.stdin?.end(input)
}

function environmentOf({ isIndependent = false, environment = {} }: ProgramStart): Record<string, string> {
  const common = { ...childEnvironment(), ...environment }
  return isIndependent ? common : { ...common, [RUN_TOKEN_NAME]: currentRunToken() }
}
