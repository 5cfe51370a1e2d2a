import { spawn } from 'node:child_process'
import type { Isolation } from './isolation.ts'
import { createOutputTail } from './output-tail.ts'
import { lowerToolPriority, signalProcessGroup, toolCommand, toolEnvironment } from './tool-command.ts'
import { waitForToolExit, type ToolExit } from './tool-exit.ts'

export type ToolStart = {
  /** A name on PATH or an absolute path. Never a shell line. */
  program: string
  arguments: readonly string[]
  /** Niceness of the program, 0 to 19. */
  niceness?: number
  /** Restrictions for tools that read untrusted files; not suitable for tools that need the network. */
  isolation?: Isolation
  /** Called with every complete line of stdout; lines longer than 4 KiB are dropped. */
  onLine: (line: string) => void
}

/** A running tool that can be paused and resumed. Signals go to its process group. */
export type RunningTool = {
  /** Pid of the program; undefined when it could not be started. */
  readonly pid: number | undefined
  /** Never rejects. */
  readonly ended: Promise<ToolExit>
  /** The last 64 KiB of stderr so far. */
  stderrTail(): string
  pause(): void
  resume(): void
  /** Kills it, paused or not, together with its children. */
  kill(): void
}

const STDERR_TAIL_BYTES = 64 * 1024
const MAX_LINE_LENGTH = 4096

/** Starts a program whose output is used while it runs. Like `runTool`, it has its own process group and dies with this process. */
export function startTool(start: ToolStart): RunningTool {
  const command = toolCommand(start)
  const stderr = createOutputTail(STDERR_TAIL_BYTES)
  const child = spawn(command.program, command.arguments, {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: toolEnvironment(start),
    cwd: '/',
  })
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
  lowerToolPriority(child.pid, start.niceness)
  readLines(child.stdout, start.onLine)
  const closeOutputs = (): void => {
    child.stdout.destroy()
    child.stderr.destroy()
  }
  return {
    pid: child.pid,
    ended: waitForToolExit(child, { stderrTail: () => stderr.text(), closeOutputs }),
    stderrTail: () => stderr.text(),
    pause: () => signalProcessGroup(child.pid, 'SIGSTOP'),
    resume: () => signalProcessGroup(child.pid, 'SIGCONT'),
    kill: () => signalProcessGroup(child.pid, 'SIGKILL'),
  }
}

function readLines(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  let partial = ''
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = (partial + text).split('\n')
    // Limits the memory for a program that prints no line terminators.
    partial = (lines.pop() ?? '').slice(-MAX_LINE_LENGTH - 1)
    for (const line of lines) if (line.length <= MAX_LINE_LENGTH) onLine(line)
  })
}
