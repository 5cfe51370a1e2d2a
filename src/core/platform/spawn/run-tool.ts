import type { execa as execaFunction } from 'execa'
import { systemErrorCode } from '../errors/index.ts'
import { createTail, type Tail } from './output-tail.ts'
import {
  isMissingBehindWrapper,
  PIPE_GRACE_MILLISECONDS,
  signalGroup,
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
  /** Bytes of stdout that are kept; more ends the run. */
  stdoutLimitBytes?: number
  /** Bytes of stderr that are kept: the last ones. */
  stderrTailBytes?: number
  /** `/` unless said: a tool must start, and behave the same, wherever the program was started, also where it may not look. */
  workingDirectory?: string
  /** 0 to 19; how much the program steps back for others. */
  niceness?: number
}

export type ToolResult = {
  outcome: 'exited' | 'timed_out' | 'aborted' | 'too_much_output' | 'not_found'
  /** Only of `exited`; null when a signal ended it. */
  exitCode: number | null
  signal: string | null
  stdout: Buffer
  stderrTail: string
}

type Execa = typeof execaFunction

const STDOUT_LIMIT_BYTES = 8 * 1024 * 1024
const STDERR_TAIL_BYTES = 64 * 1024

/**
 * Loads what running tools needs, which keeps a thread busy for 50 ms; a server does so before it has much to do.
 * Nothing else loads it: programs that live long (the keeper of the database) do without.
 */
export async function prepareToRunTools(): Promise<void> {
  await loadExeca()
}

async function loadExeca(): Promise<Execa> {
  const { execa } = await import('execa')
  return execa
}

/**
 * Runs a program to its end. What the program does is the result, never an exception. It runs in a process group of its own that
 * is killed as a whole when time is up, the caller aborts, or too much is printed, and dies with this process (M6, F-16 to F-18).
 */
export async function runTool(run: ToolRun): Promise<ToolResult> {
  const stderr = createTail(run.stderrTailBytes ?? STDERR_TAIL_BYTES)
  const execa = await loadExeca()
  if (run.signal?.aborted === true) return endedAs('aborted', [], stderr)
  const child = launch(execa, run)
  lowerToolPriority(child.pid, run.niceness)
  const chunks: Buffer[] = []
  let interruption: ToolResult['outcome'] | undefined
  const interrupt = (reason: ToolResult['outcome']): void => {
    interruption ??= reason
    signalGroup(child.pid, 'SIGKILL')
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
    const outcome =
      interruption ?? (isMissing || isMissingBehindWrapper(result.exitCode, stderr.text()) ? 'not_found' : 'exited')
    return endedAs(outcome, chunks, stderr, result.exitCode ?? null, result.signal ?? null)
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
    env: toolEnvironment(),
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
 * The result does not wait for a grandchild that keeps the pipes open: one in the group is killed, one that left the group (setsid)
 * loses its readers and is left to the sweep of orphans.
 */
function closePipes(child: ReturnType<typeof launch>): void {
  if (child.stdout.destroyed && child.stderr.destroyed) return
  signalGroup(child.pid, 'SIGKILL')
  child.stdout.destroy()
  child.stderr.destroy()
}

function endedAs(
  outcome: ToolResult['outcome'],
  chunks: readonly Buffer[],
  stderr: Tail,
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
