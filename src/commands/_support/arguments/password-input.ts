import * as Flags from '@oclif/core/flags'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { systemErrorCode } from '../../../core/platform/errors/index.ts'
import { commandErrors, InterruptedError } from '../errors.ts'

const helpGroup = 'PASSWORD'

/**
 * The three ways to give a password. They are mutually exclusive, but not by oclif's `exclusive`, whose message repeats the value. There is
 * no short flag: `-pSECRET` would look valid.
 */
export const passwordFlags = {
  'password-stdin': Flags.boolean({
    helpGroup,
    summary: 'Read the password from standard input; on a terminal a prompt asks for it.',
  }),
  'password-file': Flags.string({
    helpGroup,
    helpValue: 'FILE',
    summary: 'Read the password from a file; `-` is standard input.',
  }),
  password: Flags.string({
    helpGroup,
    helpValue: 'PASSWORD',
    summary: 'The password; other users of this machine can see it in the process list.',
  }),
}

export type PasswordFlags = {
  'password-stdin': boolean
  'password-file'?: string | undefined
  password?: string | undefined
}

/** A password has at most 1,024 bytes, so longer input is refused. */
const INPUT_LIMIT_BYTES = 64 * 1024

/**
 * The password from the flags; undefined if none is given. One trailing newline of a file or of standard input is removed.
 * @throws AppError `usage` for several flags at once, an empty password, an unreadable file
 */
export async function readPassword(flags: PasswordFlags, { mayAsk }: { mayAsk: boolean }): Promise<string | undefined> {
  const file = flags['password-file']
  const ways = [flags['password-stdin'], file !== undefined, flags.password !== undefined]
  const count = ways.filter(Boolean).length
  if (count === 0) return undefined
  if (count > 1) {
    throw commandErrors.usage({ message: 'Give only one of --password-stdin, --password-file and --password' })
  }
  const password =
    flags.password ??
    (await (file === undefined || file === '-' ? readSecretInput('password', { mayAsk }) : readSecretFile(file)))
  if (password === '') throw commandErrors.usage({ message: 'The password is empty' })
  return password
}

/** The text on stdout for a generated password: with --quiet the password only, for use in scripts. */
export function describeGenerated(done: string, password: string, { quiet }: { quiet: boolean }): string {
  return quiet ? password : `${done}\nPassword, shown only now: ${password}`
}

async function readSecretFile(path: string): Promise<string> {
  try {
    return withoutNewline(await readFile(path))
  } catch (error) {
    const word = systemErrorCode(error)
    if (word === undefined || word === 'EACCES') throw error
    throw commandErrors.usage({ message: `The password file cannot be read: ${path} (${word})`, cause: error })
  }
}

/**
 * Reads standard input without one trailing newline. On a terminal it prompts and hides the input.
 * @throws AppError `usage` when prompts are not allowed, or for input that is too long
 */
export async function readSecretInput(what: string, { mayAsk }: { mayAsk: boolean }): Promise<string> {
  if (process.stdin.isTTY) {
    if (mayAsk) return askHidden(`${what.charAt(0).toUpperCase()}${what.slice(1)}: `)
    throw commandErrors.usage({ message: 'Standard input is a terminal and --no-input forbids asking' })
  }
  const parts: Buffer[] = []
  let size = 0
  for await (const part of process.stdin as AsyncIterable<Buffer>) {
    parts.push(part)
    size += part.length
    if (size > INPUT_LIMIT_BYTES) throw commandErrors.usage({ message: `Standard input is too long for a ${what}` })
  }
  return withoutNewline(Buffer.concat(parts))
}

function withoutNewline(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/\r?\n$/, '')
}

/** Prompts on stderr, because stdout is for results. The input is not shown. */
async function askHidden(question: string): Promise<string> {
  process.stderr.write(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve)
      lines.once('SIGINT', () => reject(new InterruptedError('SIGINT')))
      lines.once('close', () => resolve(''))
    })
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}
