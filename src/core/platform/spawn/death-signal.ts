import { existsSync } from 'node:fs'

/** util-linux; essential on Debian, absent on other systems, where children of a killed parent are found by their run token. */
const SETPRIV = '/usr/bin/setpriv'

export type Command = { program: string; arguments: readonly string[] }

/** Whether programs can be started by `setpriv`. */
export function hasSetpriv(): boolean {
  return existsSync(SETPRIV)
}

/**
 * The same command, but the kernel kills it when the thread that started it dies, even by kill -9 (M6). It has to be the innermost
 * wrapper that changes rights: the kernel forgets the signal with each such change (prctl(2), PR_SET_PDEATHSIG).
 * @param rights further words for `setpriv`
 */
export function withDeathSignal(command: Command, rights: readonly string[] = []): Command {
  if (!hasSetpriv()) return command
  return {
    program: SETPRIV,
    arguments: [...rights, '--pdeathsig', 'KILL', '--', command.program, ...command.arguments],
  }
}
