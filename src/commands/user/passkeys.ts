import * as Flags from '@oclif/core/flags'
import { passkeyDetailView, userView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { PASSKEY_COLUMNS } from '../_support/output/passkey-columns.ts'
import { renderTable } from '../_support/output/table.ts'
import { userArgument } from '../_support/arguments/user-argument.ts'

export default class UserPasskeys extends BaseCommand {
  static override summary = 'List the passkeys of an account, or remove one.'
  static override description =
    'Users register passkeys themselves, in a browser or an app. The last passkey may be removed, because every ' +
    'account has a password.'
  static override examples = [
    '<%= config.bin %> user:passkeys ada',
    '<%= config.bin %> user:passkeys ada --plain | cut -f4',
    '<%= config.bin %> user:passkeys ada --remove 1y3x3nPs1kWvD0uH9dZ2Rg==',
  ]
  static override args = { user: userArgument }
  static override flags = {
    remove: Flags.string({ helpValue: 'ID', summary: 'Remove this passkey and list the remaining ones.' }),
    plain: Flags.boolean({ summary: 'Tab-separated, without a header.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args, flags } = await this.parse(UserPasskeys)
    const { account, passkeys } = await this.withServices(async (services) => {
      const { getNamedAccount } = await import('../../core/accounts/index.ts')
      const { listPasskeys, removePasskey } = await import('../../core/passkeys/index.ts')
      const account = await getNamedAccount(services, args.user)
      const accountId = account.id
      if (flags.remove !== undefined) await removePasskey(services, { accountId, credentialId: flags.remove })
      return { account, passkeys: await listPasskeys(services, { accountId }) }
    })
    return this.finish({
      result: { user: userView(account), passkeys: passkeys.map(passkeyDetailView), removed: flags.remove ?? null },
      text:
        passkeys.length === 0 && !flags.plain
          ? `${account.username} has no passkeys.`
          : renderTable(PASSKEY_COLUMNS, passkeys, { plain: flags.plain, output: this.output }),
    })
  }
}
