import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { checkExclusive } from './exclusive-flags.ts'

/** Argument that identifies an account; the core ignores case. */
export const userArgument = Args.string({
  required: true,
  ignoreStdin: true,
  description: 'username or e-mail address',
})

/** Argument of commands that also take `--user`; `readUser` reads both. */
export const optionalUserArgument = Args.string({ ignoreStdin: true, description: 'username or e-mail address' })

/** The same account as a flag. */
export const userFlag = Flags.string({ helpValue: 'USER', summary: 'Username or e-mail address.' })

/**
 * The account of a command that takes it as an argument or with `--user`; undefined without both.
 * @throws AppError `usage` for both
 */
export function readUser({
  argument,
  flag,
}: {
  argument: string | undefined
  flag: string | undefined
}): string | undefined {
  checkExclusive(argument !== undefined && flag !== undefined, 'USER', '--user')
  return argument ?? flag
}
