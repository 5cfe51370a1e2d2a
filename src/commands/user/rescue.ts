import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import type { Account } from '../../core/accounts/index.ts'
import { userView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { commandErrors } from '../_support/errors.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'

export default class UserRescue extends BaseCommand {
  static override summary = 'Name the administrator who can sign in with a password while local sign-in is off.'
  static override description =
    'The account can sign in with its password or passkey on the server itself, while accounts.local_sign_in is off. ' +
    'Without a user the named account is shown. A running server applies the change to the next sign-in.'
  static override examples = [
    '<%= config.bin %> user:rescue ada',
    '<%= config.bin %> user:rescue',
    '<%= config.bin %> user:rescue --none',
  ]
  static override args = {
    user: Args.string({ ignoreStdin: true, description: 'Username or e-mail address of an administrator.' }),
  }
  static override flags = { none: Flags.boolean({ summary: 'Name no account any more; the account itself stays.' }) }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args, flags } = await this.parse(UserRescue)
    if (flags.none && args.user !== undefined) {
      throw commandErrors.usage({ message: '--none and a user exclude each other' })
    }
    const name = flags.none ? null : args.user
    const account = await this.withServices(async (services) => {
      const { findRescueAccount, setRescueAccount } = await import('../../core/accounts/index.ts')
      return name === undefined ? findRescueAccount(services) : setRescueAccount(services, name)
    })
    return this.finish({
      result: { user: account === undefined ? null : userView(account) },
      text: describeRescue(account, { isRemoved: flags.none }),
    })
  }
}

function describeRescue(account: Account | undefined, { isRemoved }: { isRemoved: boolean }): string {
  if (account !== undefined) {
    return `${account.username} is the rescue account: it can sign in with its password on the server itself while local sign-in is off.`
  }
  return isRemoved
    ? 'No account is the rescue account any more.'
    : 'No rescue account is named: phlix user:rescue NAME names one.'
}
