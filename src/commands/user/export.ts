import * as Flags from '@oclif/core/flags'
import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { systemErrorCode } from '../../core/platform/errors/index.ts'
import { userView } from '../../core/views/index.ts'
import { userArgument } from '../_support/arguments/user-argument.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { commandErrors } from '../_support/errors.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'

export default class UserExport extends BaseCommand {
  static override summary = 'Write everything that is stored about an account to a file.'
  static override description =
    'The file is JSON: profile, settings, marks, history, positions, collections, requests, devices, passkeys and keys, without secrets ' +
    '(docs/accounts.md). Only the account of the system that runs the command can read it. An existing file is not replaced.'
  static override examples = [
    '<%= config.bin %> user:export ada --output ada.json',
    '<%= config.bin %> user:export ada --output ada.json && <%= config.bin %> user:delete ada',
  ]
  static override args = { user: userArgument }
  static override flags = {
    output: Flags.string({ char: 'o', required: true, helpValue: 'FILE', summary: 'The new file.' }),
  }
  static override exitCodes = [
    EXIT.ok,
    EXIT.usage,
    EXIT.notFound,
    EXIT.io,
    EXIT.denied,
    EXIT.interrupted,
    EXIT.terminated,
    ...DATABASE_EXITS,
  ]
  static override isIdempotent = false

  async run(): Promise<object> {
    const { args, flags } = await this.parse(UserExport)
    const path = resolve(flags.output)
    const account = await this.withServices(async (services, { signal }) => {
      const { getNamedAccount } = await import('../../core/accounts/index.ts')
      const { exportAccount } = await import('../../core/account-export/index.ts')
      const found = await getNamedAccount(services, args.user)
      const chunks = await exportAccount(services, { accountId: found.id })
      await writeNew(path, chunks, signal)
      return found
    })
    const { size } = await stat(path)
    return this.finish({
      result: { user: userView(account), path, bytes: size },
      text: `Wrote ${size} bytes about ${account.username} to ${path}.`,
    })
  }
}

/** @throws AppError `usage` for a file that exists, or a folder that does not */
async function writeNew(path: string, chunks: AsyncIterable<string>, signal: AbortSignal): Promise<void> {
  try {
    await pipeline(chunks, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal })
  } catch (error) {
    signal.throwIfAborted()
    const word = systemErrorCode(error)
    if (word === 'EEXIST') throw commandErrors.usage({ message: `${path} exists already` })
    if (word === 'ENOENT') throw commandErrors.usage({ message: `The folder of ${path} does not exist` })
    throw error
  }
}
