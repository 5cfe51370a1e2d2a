import * as Flags from '@oclif/core/flags'
import { userView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { confirmDeletion } from '../_support/arguments/confirm-deletion.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { userArgument } from '../_support/arguments/user-argument.ts'

export default class UserDelete extends BaseCommand {
  static override summary = 'Delete an account with its positions, marks, ratings and passkeys.'
  static override description =
    'Deleted data cannot be restored; user:export writes them to a file first, and user:disable only locks the account. Collections that the account made are ' +
    'kept. The last active administrator cannot be deleted. Without a terminal --yes is required.'
  static override examples = [
    '<%= config.bin %> user:delete bob --dry-run',
    '<%= config.bin %> user:delete bob@example.org --yes --json',
  ]
  static override args = { user: userArgument }
  static override flags = {
    yes: Flags.boolean({ char: 'y', summary: 'Do not ask for confirmation.' }),
    'dry-run': Flags.boolean({ char: 'n', summary: 'Only show what would be deleted.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]
  static override isIdempotent = 'not_found' as const

  async run(): Promise<object> {
    const { args, flags } = await this.parse(UserDelete)
    const isDryRun = flags['dry-run']
    const { account, loss, isDeleted } = await this.withServices(async (services, { signal }) => {
      const { deleteAccount, getNamedAccount } = await import('../../core/accounts/index.ts')
      const account = await getNamedAccount(services, args.user)
      const loss = `${account.username} (${account.email}) would be deleted with all positions, marks, ratings, plays and passkeys.`
      const isWanted = !isDryRun && (flags.yes || (await confirmDeletion(loss, { mayAsk: this.shared.mayAsk, signal })))
      if (isWanted) await deleteAccount(services, { accountId: account.id })
      return { account, loss, isDeleted: isWanted }
    })
    return this.finish({
      result: { user: userView(account), dry_run: isDryRun, deleted: isDeleted },
      text: isDryRun ? loss : isDeleted ? `Deleted ${account.username}.` : 'Nothing was deleted',
      exit: isDeleted || isDryRun ? EXIT.ok : EXIT.failure,
    })
  }
}
