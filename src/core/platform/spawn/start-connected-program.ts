import { spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { createOutputTail } from './output-tail.ts'
import { RUN_TOKEN_VARIABLE, createRunToken } from './run-token.ts'
import type { ProgramExit } from './start-program.ts'
import { lowerToolPriority, signalProcessGroup } from './tool-command.ts'

export type ConnectedProgramStart = {
  /** Absolute path. */
  program: string
  arguments: readonly string[]
  workingDirectory: string
  /** Data directory whose process starts it, for the sweep of orphans. */
  dataDirectory: string
  /** Niceness of the session of the program, 0 to 19. */
  niceness?: number
}

/** A running program that talks with this process over its standard input and output. */
export type ConnectedProgram = {
  /** Undefined when it could not be started. */
  readonly pid: number | undefined
  /** Never rejects. */
  readonly ended: Promise<ProgramExit>
  readonly stdin: Writable
  readonly stdout: Readable
  /** The last 64 KiB of stderr so far. */
  stderrTail(): string
  /** Kills it together with the processes of its group. */
  kill(): void
}

const STDERR_TAIL_BYTES = 64 * 1024

/**
 * Starts a program that is not trusted. Its environment holds only the run token, it inherits no descriptor except the three standard
 * streams, and it leads its own session and process group.
 */
export function startConnectedProgram(start: ConnectedProgramStart): ConnectedProgram {
  const stderr = createOutputTail(STDERR_TAIL_BYTES)
  const child = spawn(start.program, start.arguments, {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
    env: { [RUN_TOKEN_VARIABLE]: createRunToken(start.dataDirectory) },
    cwd: start.workingDirectory,
  })
  lowerToolPriority(child.pid, start.niceness)
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
  for (const stream of [child.stdin, child.stdout, child.stderr]) {
    stream.on('error', () => {
      // The program ended; its end is reported separately.
    })
  }
  let hasEnded = false
  const ended = new Promise<ProgramExit>((resolve) => {
    child.once('error', (error) => resolve({ exitCode: null, signal: null, error }))
    child.once('exit', (exitCode, signal) => {
      hasEnded = true
      resolve({ exitCode, signal, error: undefined })
    })
  })
  return {
    pid: child.pid,
    ended,
    stdin: child.stdin,
    stdout: child.stdout,
    stderrTail: () => stderr.text(),
    kill() {
      // After the end of the program its process id may belong to another program.
      if (!hasEnded) signalProcessGroup(child.pid, 'SIGKILL')
    },
  }
}
