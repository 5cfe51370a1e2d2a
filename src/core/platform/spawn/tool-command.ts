import { childEnvironment } from '../config/index.ts'
import { lowerAutogroupPriority } from '../priorities/index.ts'
import { withDeathSignal, type Command } from './death-signal.ts'
import { currentRunToken, RUN_TOKEN_NAME } from './run-token.ts'

/** How long after a program's end its output may still be written by what it left behind. */
export const PIPE_GRACE_MILLISECONDS = 1000

/** The command line of a tool that dies with this process and steps back for others by `niceness` (0 to 19). */
export function toolCommand(tool: { program: string; arguments: readonly string[]; niceness?: number }): Command {
  return withDeathSignal(withNiceness(tool))
}

function withNiceness({ program, arguments: words, niceness = 0 }: Parameters<typeof toolCommand>[0]): Command {
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

/** setpriv and nice report a program that they cannot find with exit code 127 and one line of their own. */
export function isMissingBehindWrapper(exitCode: number | null | undefined, stderrTail: string): boolean {
  return exitCode === 127 && /^(?:setpriv|nice): .*No such file or directory/m.test(stderrTail)
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
