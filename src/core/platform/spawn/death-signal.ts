import { existsSync } from 'node:fs'

/** util-linux; essential on Debian, absent on other systems, where children of a killed parent are found by their run token. */
const SETPRIV = '/usr/bin/setpriv'

export type Command = { program: string; arguments: readonly string[] }

/** The same command, but the kernel kills it when the thread that started it dies, even by kill -9 (M6). */
export function withDeathSignal(command: Command): Command {
  if (!existsSync(SETPRIV)) return command
  return { program: SETPRIV, arguments: ['--pdeathsig', 'KILL', '--', command.program, ...command.arguments] }
}
