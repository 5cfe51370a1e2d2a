import { spawn } from 'node:child_process'
import { Readable, type Writable } from 'node:stream'
import type { Isolation } from './isolation.ts'
import { createOutputTail } from './output-tail.ts'
import { lowerToolPriority, signalProcessGroup, toolCommand, toolEnvironment } from './tool-command.ts'
import { waitForToolExit, type ToolExit } from './tool-exit.ts'

export type PipedToolStart = {
  /** A name on PATH or an absolute path. Never a shell line. */
  program: string
  arguments: readonly string[]
  /** Number of outputs: the first is stdout, the others are the descriptors from 3. */
  outputs: number
  /** Whether it reads its stdin, which is then `input`. */
  hasInput?: boolean
  /** Niceness of the program, 0 to 19. */
  niceness?: number
  /** Restrictions for tools that read untrusted files; not suitable for tools that need the network. */
  isolation?: Isolation
}

/** A running tool with several binary outputs. The tool waits while an output is not read. */
export type PipedTool = {
  /** Pid of the program; undefined when it could not be started. */
  readonly pid: number | undefined
  /** Resolves after the program has exited and all outputs have ended. Never rejects. */
  readonly ended: Promise<ToolExit>
  /** Reading must begin at once: what is not read by anything when the program exits is dropped. */
  readonly outputs: readonly Readable[]
  /** Its stdin; null unless `hasInput`. Writing to it after its end is no error. */
  readonly input: Writable | null
  /** The last 64 KiB of stderr so far. */
  stderrTail(): string
  /** Kills it together with its children, and closes the outputs: a process that waits for a device may end much later. */
  kill(): void
}

const STDERR_TAIL_BYTES = 64 * 1024

/**
 * Starts a program whose outputs are streams. Like `runTool`, it has its own process group and dies with this process. Its last output may
 * be read after its exit; only stderr is closed then.
 */
export function startPipedTool(start: PipedToolStart): PipedTool {
  const command = toolCommand(start)
  const stderr = createOutputTail(STDERR_TAIL_BYTES)
  const further = Array.from({ length: start.outputs - 1 }, () => 'pipe' as const)
  const child = spawn(command.program, command.arguments, {
    stdio: [start.hasInput === true ? 'pipe' : 'ignore', 'pipe', 'pipe', ...further],
    detached: true,
    env: toolEnvironment(start),
    cwd: '/',
  })
  const { stderr: errors } = child
  errors?.on('data', (chunk: Buffer) => stderr.push(chunk))
  lowerToolPriority(child.pid, start.niceness)
  const outputs = child.stdio.filter(
    (stream, descriptor): stream is Readable => ![0, 2].includes(descriptor) && stream instanceof Readable,
  )
  // A closed output is its end; how the program ended is known separately.
  for (const output of outputs) output.on('error', () => {})
  child.stdin?.on('error', () => {})
  let hasClosed = false
  child.once('close', () => (hasClosed = true))
  return {
    pid: child.pid,
    ended: waitForToolExit(child, { stderrTail: () => stderr.text(), closeOutputs: () => errors?.destroy() }),
    outputs,
    input: child.stdin,
    stderrTail: () => stderr.text(),
    kill() {
      // Its process id may belong to another program by now.
      if (hasClosed) return
      signalProcessGroup(child.pid, 'SIGKILL')
      for (const output of outputs) output.destroy()
    },
  }
}
