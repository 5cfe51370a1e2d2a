import { existsSync } from 'node:fs'

/** Part of util-linux, which every Debian system has. On systems without it, orphaned processes are found by their run token. */
const SETPRIV = '/usr/bin/setpriv'

export type CommandLine = { program: string; arguments: readonly string[] }

/** Whether programs can be started through `setpriv`. */
export function isSetprivAvailable(): boolean {
  return existsSync(SETPRIV)
}

/**
 * Wraps a command so that the kernel kills it when the thread that started it dies, even by kill -9. No command inside this wrapper may
 * change privileges, because each change clears the signal (prctl(2), PR_SET_PDEATHSIG).
 * @param rights further arguments for `setpriv`
 */
export function withDeathSignal(command: CommandLine, rights: readonly string[] = []): CommandLine {
  if (!isSetprivAvailable()) return command
  return {
    program: SETPRIV,
    arguments: [...rights, '--pdeathsig', 'KILL', '--', command.program, ...command.arguments],
  }
}
