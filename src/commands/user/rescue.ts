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
    'Without a user the named account is shown. A running server applies the change to the next sign-in. While local sign-in is off, an account ' +
    'must stay named: otherwise no administrator could sign in while the provider does not answer.'
  static override examples = [
    '<%= config.bin %> user:rescue ada',
    '<%= config.bin %> user:rescue',
    '<%= config.bin %> user:rescue --none',
    '<%= config.bin %> user:rescue --none --accept-sign-in-risk',
  ]
  static override args = {
    user: Args.string({ ignoreStdin: true, description: 'Username or e-mail address of an administrator.' }),
  }
  static override flags = {
    none: Flags.boolean({ summary: 'Name no account any more; the account itself stays.' }),
    'accept-sign-in-risk': Flags.boolean({
      dependsOn: ['none'],
      summary: 'With --none: also while local sign-in is off.',
    }),
  }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args, flags } = await this.parse(UserRescue)
    if (flags.none && args.user !== undefined) {
      throw commandErrors.usage({ message: '--none and a user exclude each other' })
    }
    const { account, before, isNeeded } = await this.withServices(async (services) => {
      const accounts = await import('../../core/accounts/index.ts')
      const { findRescueAccount, isLocalSignInOff, removeRescueAccount, setRescueAccount } = accounts
      const before = await findRescueAccount(services)
      if (flags.none) await removeRescueAccount(services, { isAccepted: flags['accept-sign-in-risk'] })
      const shown = flags.none ? undefined : before
      const account = args.user === undefined ? shown : await setRescueAccount(services, args.user)
      return { account, before, isNeeded: account === undefined && (await isLocalSignInOff(services)) }
    })
    if (isNeeded) {
      this.warn(
        'Local sign-in is off: while the sign-in provider does not answer, nobody can sign in. phlix user:rescue NAME names an account',
      )
    }
    return this.finish({
      result: { user: account === undefined ? null : userView(account), changed: account?.id !== before?.id },
      text: describeRescue({ account, before, isRemoving: flags.none }),
    })
  }
}

type Rescue = { account: Account | undefined; before: Account | undefined; isRemoving: boolean }

function describeRescue({ account, before, isRemoving }: Rescue): string {
  if (account !== undefined) {
    const since = before === undefined || before.id === account.id ? '' : ` It replaces ${before.username}.`
    return `${account.username} is the rescue account: it can sign in with its password on the server itself while local sign-in is off.${since}`
  }
  if (!isRemoving) return 'No rescue account is named: phlix user:rescue NAME names one.'
  return before === undefined
    ? 'No rescue account was named; nothing changed.'
    : `${before.username} is not the rescue account any more; the account itself stays. phlix user:rescue NAME names another one.`
}
