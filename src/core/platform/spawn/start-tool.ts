import { spawn, type ChildProcess } from 'node:child_process'
import { systemErrorCode } from '../errors/index.ts'
import { createTail } from './output-tail.ts'
import {
  isMissingBehindWrapper,
  PIPE_GRACE_MILLISECONDS,
  signalGroup,
  lowerToolPriority,
  toolCommand,
  toolEnvironment,
} from './tool-command.ts'

export type ToolStart = {
  /** A name on PATH or an absolute path. Never a shell line. */
  program: string
  arguments: readonly string[]
  /** 0 to 19; how much the program steps back for others. */
  niceness?: number
  /** Called with every whole line of stdout as it comes; lines longer than 4 KiB are left out. */
  onLine: (line: string) => void
}

export type ToolEnd = {
  outcome: 'exited' | 'not_found'
  exitCode: number | null
  signal: string | null
  stderrTail: string
}

/** A tool that is stopped and continued while it runs; its process group is meant each time. */
export type RunningTool = {
  /** Of the program itself; undefined where it could not be started. */
  readonly pid: number | undefined
  /** Never rejects. */
  readonly ended: Promise<ToolEnd>
  /** The last 64 KiB that were printed as errors so far. */
  stderrTail(): string
  pause(): void
  resume(): void
  /** Ends it at once, paused or not, and with it what it started. */
  kill(): void
}

const STDERR_TAIL_BYTES = 64 * 1024
const MAX_LINE_LENGTH = 4096

/**
 * Starts a program whose output is of use while it runs. As with `runTool`, it has a process group of its own and dies
 * with this process (M6, F-16 to F-18).
 */
export function startTool(start: ToolStart): RunningTool {
  const command = toolCommand(start)
  const stderr = createTail(STDERR_TAIL_BYTES)
  const child = spawn(command.program, command.arguments, {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: toolEnvironment(),
    cwd: '/',
  })
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
  lowerToolPriority(child.pid, start.niceness)
  readLines(child.stdout, start.onLine)
  return {
    pid: child.pid,
    ended: endOf(child, () => stderr.text()),
    stderrTail: () => stderr.text(),
    pause: () => signalGroup(child.pid, 'SIGSTOP'),
    resume: () => signalGroup(child.pid, 'SIGCONT'),
    kill: () => signalGroup(child.pid, 'SIGKILL'),
  }
}

function readLines(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  let partial = ''
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = (partial + text).split('\n')
    // A program that prints no line ends costs no memory either.
    partial = (lines.pop() ?? '').slice(-MAX_LINE_LENGTH - 1)
    for (const line of lines) if (line.length <= MAX_LINE_LENGTH) onLine(line)
  })
}

function endOf(child: ChildProcess, stderrTail: () => string): Promise<ToolEnd> {
  return new Promise((resolve) => {
    const end = (outcome: ToolEnd['outcome'], exitCode: number | null, signal: string | null): void =>
      resolve({ outcome, exitCode, signal, stderrTail: stderrTail() })
    child.once('error', (error) => {
      if (child.pid === undefined) end(systemErrorCode(error) === 'ENOENT' ? 'not_found' : 'exited', null, null)
    })
    child.once('exit', () => setTimeout(() => closePipes(child), PIPE_GRACE_MILLISECONDS).unref())
    child.once('close', (exitCode, signal) => {
      end(isMissingBehindWrapper(exitCode, stderrTail()) ? 'not_found' : 'exited', exitCode, signal)
    })
  })
}

/** The end does not wait for a grandchild that keeps the pipes open: it is killed, or loses its readers. */
function closePipes(child: ChildProcess): void {
  if (child.stdout?.destroyed === true && child.stderr?.destroyed === true) return
  signalGroup(child.pid, 'SIGKILL')
  child.stdout?.destroy()
  child.stderr?.destroy()
}
