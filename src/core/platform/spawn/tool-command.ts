import { childEnvironment } from '../config/index.ts'
import { lowerAutogroupPriority } from '../priorities/index.ts'
import { withDeathSignal, type Command } from './death-signal.ts'
import type { Isolation } from './isolation.ts'
import { currentRunToken, RUN_TOKEN_NAME } from './run-token.ts'

/** How long after a program's end its output may still be written by what it left behind. */
export const PIPE_GRACE_MILLISECONDS = 1000

type Tool = { program: string; arguments: readonly string[]; niceness?: number; isolation?: Isolation }

/** The command line of a tool that dies with this process and steps back for others by `niceness` (0 to 19). */
export function toolCommand(tool: Tool): Command {
  const command = withNiceness(tool)
  return tool.isolation === undefined ? withDeathSignal(command) : tool.isolation.wrap(command)
}

function withNiceness({ program, arguments: words, niceness = 0 }: Tool): Command {
  if (niceness === 0) return { program, arguments: words }
  return { program: 'nice', arguments: ['-n', String(niceness), '--', program, ...words] }
}

/** `nice` counts among the processes of a session; a tool has one of its own, which has to step back as a whole. */
export function lowerToolPriority(pid: number | undefined, niceness = 0): void {
  if (pid !== undefined && niceness > 0) lowerAutogroupPriority(pid, niceness)
}

/** What a tool finds in its environment: the common part, and whose it is. */
export function toolEnvironment(): Record<string, string> {
  return { ...childEnvironment(), [RUN_TOKEN_NAME]: currentRunToken() }
}

type Ended = { exitCode: number | null | undefined; stderrTail: string }

/**
 * How a tool ended. Wrappers report a program that they cannot find with exit code 127 and one line of their own, and a limit that the
 * system refuses with such a line alone: then the tool has not run, and its exit code says nothing about its files.
 */
export function outcomeOf({ exitCode, stderrTail }: Ended): 'exited' | 'not_found' | 'not_isolated' {
  if (exitCode === 127 && /^(?:unshare|setpriv|nice): .*No such file or directory/m.test(stderrTail)) return 'not_found'
  const isRefused = (exitCode === 1 || exitCode === 127) && /^(?:unshare|setpriv): [^\n]{1,500}\n?$/.test(stderrTail)
  return isRefused ? 'not_isolated' : 'exited'
}

/** Sends a signal to a child that leads its own group, and to its children; silent when they have ended meanwhile. */
export function signalGroup(pid: number | undefined, signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // It ended by itself in the meantime.
  }
}
