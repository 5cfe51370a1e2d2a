import { childEnvironment } from '../config/index.ts'
import { lowerAutogroupPriority } from '../priorities/index.ts'
import { withDeathSignal, type CommandLine } from './death-signal.ts'
import type { Isolation } from './isolation.ts'
import { RUN_TOKEN_VARIABLE, createRunToken } from './run-token.ts'

/** How long the output of a program's remaining children is read after its end. */
export const PIPE_GRACE_MILLISECONDS = 1000

type Tool = { program: string; arguments: readonly string[]; niceness?: number; isolation?: Isolation }

/** The command line of a tool that dies with this process and has a niceness (0 to 19). */
export function toolCommand(tool: Tool): CommandLine {
  const command = withNiceness(tool)
  return tool.isolation === undefined ? withDeathSignal(command) : tool.isolation.wrap(command)
}

function withNiceness({ program, arguments: args, niceness = 0 }: Tool): CommandLine {
  if (niceness === 0) return { program, arguments: args }
  return { program: 'nice', arguments: ['-n', String(niceness), '--', program, ...args] }
}

/** `nice` applies among the processes of a session. A tool has its own session, whose priority must be lowered as a whole. */
export function lowerToolPriority(pid: number | undefined, niceness = 0): void {
  if (pid !== undefined && niceness > 0) lowerAutogroupPriority(pid, niceness)
}

/** The environment of a tool: the common part and the run token. */
export function toolEnvironment({ isolation }: Pick<Tool, 'isolation'>): Record<string, string> {
  return { ...childEnvironment(), [RUN_TOKEN_VARIABLE]: createRunToken(isolation?.dataDirectory) }
}

type Ended = { exitCode: number | null | undefined; stderrTail: string }

/**
 * Determines how a tool ended. Wrappers report a missing program with exit code 127 and one line on stderr, and a refused restriction with
 * such a line alone. In both cases the tool has not run, and its exit code says nothing about its files.
 */
export function toolOutcome({ exitCode, stderrTail }: Ended): 'exited' | 'not_found' | 'not_isolated' {
  if (exitCode === 127 && /^(?:unshare|setpriv|nice): .*No such file or directory/m.test(stderrTail)) return 'not_found'
  const isRefused = (exitCode === 1 || exitCode === 127) && /^(?:unshare|setpriv): [^\n]{1,500}\n?$/.test(stderrTail)
  return isRefused ? 'not_isolated' : 'exited'
}

/** Sends a signal to a child that leads its own group, and to its children. Does nothing when they have ended. */
export function signalProcessGroup(pid: number | undefined, signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // The program has ended in the meantime.
  }
}
