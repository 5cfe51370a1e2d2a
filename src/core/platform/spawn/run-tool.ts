import type { execa as execaFunction } from 'execa'
import { systemErrorCode } from '../errors/index.ts'
import type { Isolation } from './isolation.ts'
import { createOutputTail, type OutputTail } from './output-tail.ts'
import {
  toolOutcome,
  PIPE_GRACE_MILLISECONDS,
  signalProcessGroup,
  lowerToolPriority,
  toolCommand,
  toolEnvironment,
} from './tool-command.ts'

export type ToolRun = {
  /** A name on PATH or an absolute path. Never a shell line. */
  program: string
  arguments: readonly string[]
  timeoutSeconds: number
  signal?: AbortSignal | undefined
  /** Size limit of stdout; exceeding it ends the run. */
  stdoutLimitBytes?: number
  /** Number of bytes of stderr that are kept, counted from the end. */
  stderrTailBytes?: number
  /** Default: `/`, so that a tool starts and behaves the same regardless of the current directory, which it may not be allowed to read. */
  workingDirectory?: string
  /** Variables in addition to the environment of every tool. */
  environment?: Readonly<Record<string, string>>
  /** Niceness of the program, 0 to 19. */
  niceness?: number
  /** Restrictions for tools that read untrusted files; not suitable for tools that need the network. */
  isolation?: Isolation
}

export type ToolResult = {
  /** `not_isolated`: the system refused a restriction that it supported before, and the program did not run. */
  outcome: 'exited' | 'timed_out' | 'aborted' | 'too_much_output' | 'not_found' | 'not_isolated'
  /** Exit code for the outcome `exited`; null if a signal ended the program. */
  exitCode: number | null
  signal: string | null
  stdout: Buffer
  stderrTail: string
}

type Execa = typeof execaFunction

const STDOUT_LIMIT_BYTES = 8 * 1024 * 1024
const STDERR_TAIL_BYTES = 64 * 1024

/**
 * Loads the module for running tools, which blocks the thread for 50 ms; a server calls this at its start. It is loaded only here, so that
 * processes that run no tools do not need it.
 */
export async function prepareToRunTools(): Promise<void> {
  await loadExeca()
}

async function loadExeca(): Promise<Execa> {
  const { execa } = await import('execa')
  return execa
}

/**
 * Runs a program to its end. Failures of the program are part of the result, never exceptions. It runs in its own process group, which is
 * killed as a whole on timeout, abort or too much output, and it dies with this process.
 */
export async function runTool(run: ToolRun): Promise<ToolResult> {
  const stderr = createOutputTail(run.stderrTailBytes ?? STDERR_TAIL_BYTES)
  const execa = await loadExeca()
  if (run.signal?.aborted === true) return toolResultOf('aborted', [], stderr)
  const child = launch(execa, run)
  lowerToolPriority(child.pid, run.niceness)
  const chunks: Buffer[] = []
  let interruption: ToolResult['outcome'] | undefined
  const interrupt = (reason: ToolResult['outcome']): void => {
    interruption ??= reason
    signalProcessGroup(child.pid, 'SIGKILL')
  }
  collectStdout(child, chunks, run.stdoutLimitBytes ?? STDOUT_LIMIT_BYTES, () => interrupt('too_much_output'))
  child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk))
  child.nodeChildProcess.once('exit', () => setTimeout(() => closePipes(child), PIPE_GRACE_MILLISECONDS).unref())
  const timer = setTimeout(() => interrupt('timed_out'), run.timeoutSeconds * 1000)
  const onAbort = (): void => interrupt('aborted')
  run.signal?.addEventListener('abort', onAbort, { once: true })
  try {
    const result = await child
    const isMissing = result.exitCode === undefined && systemErrorCode(result.cause) === 'ENOENT'
    const ended = { exitCode: result.exitCode, stderrTail: stderr.text() }
    const outcome = interruption ?? (isMissing ? 'not_found' : toolOutcome(ended))
    return toolResultOf(outcome, chunks, stderr, result.exitCode ?? null, result.signal ?? null)
  } finally {
    clearTimeout(timer)
    run.signal?.removeEventListener('abort', onAbort)
  }
}

function launch(execa: Execa, run: ToolRun) {
  const command = toolCommand(run)
  return execa(command.program, command.arguments, {
    reject: false,
    buffer: false,
    encoding: 'buffer',
    stdin: 'ignore',
    detached: true,
    cleanup: false,
    extendEnv: false,
    env: { ...toolEnvironment(run), ...run.environment },
    cwd: run.workingDirectory ?? '/',
  })
}

function collectStdout(child: ReturnType<typeof launch>, chunks: Buffer[], limit: number, onTooMuch: () => void): void {
  let kept = 0
  child.stdout?.on('data', (chunk: Buffer) => {
    kept += chunk.length
    if (kept > limit) onTooMuch()
    else chunks.push(chunk)
  })
}

/**
 * Does not wait for a grandchild that keeps the pipes open: a grandchild in the process group is killed. A grandchild that left the group
 * (setsid) can no longer write to the pipes and is killed by the sweep of orphans.
 */
function closePipes(child: ReturnType<typeof launch>): void {
  if (child.stdout.destroyed && child.stderr.destroyed) return
  signalProcessGroup(child.pid, 'SIGKILL')
  child.stdout.destroy()
  child.stderr.destroy()
}

function toolResultOf(
  outcome: ToolResult['outcome'],
  chunks: readonly Buffer[],
  stderr: OutputTail,
  ...[exitCode, signal]: [number | null, string | null] | []
): ToolResult {
  return {
    outcome,
    exitCode: exitCode ?? null,
    signal: signal ?? null,
    stdout: Buffer.concat(chunks),
    stderrTail: stderr.text(),
  }
}
