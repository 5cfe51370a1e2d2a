import * as Flags from '@oclif/core/flags'
import { userView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { userArgument } from '../_support/arguments/user-argument.ts'

export default class UserSetAdmin extends BaseCommand {
  static override summary = 'Make an account an administrator, or remove this right.'
  static override description =
    'A running server applies the change to the next request. The last active administrator cannot lose the right.'
  static override examples = ['<%= config.bin %> user:set-admin ada', '<%= config.bin %> user:set-admin ada --remove']
  static override args = { user: userArgument }
  static override flags = { remove: Flags.boolean({ summary: 'Remove the right.' }) }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args, flags } = await this.parse(UserSetAdmin)
    const { account, isChanged } = await this.withServices(async (services) => {
      const { setAdministrator } = await import('../../core/accounts/index.ts')
      return setAdministrator(services, { usernameOrEmail: args.user, isAdmin: !flags.remove })
    })
    const standing = account.isAdmin ? 'an administrator' : 'a user'
    return this.finish({
      result: { user: userView(account), changed: isChanged },
      text: `${account.username} is ${isChanged ? 'now' : 'already'} ${standing}.`,
    })
  }
}
