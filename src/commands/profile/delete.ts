import * as Flags from '@oclif/core/flags'
import { confirmDeletion } from '../_support/arguments/confirm-deletion.ts'
import { findProfile, profileArgument } from '../_support/arguments/profile-argument.ts'
import { userArgument } from '../_support/arguments/user-argument.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'

export default class ProfileDelete extends BaseCommand {
  static override summary = 'Delete a profile with its positions, marks and ratings.'
  static override description =
    'Devices that use the profile are signed out. The main profile is deleted with its account. Without a terminal --yes is required.'
  static override examples = [
    '<%= config.bin %> profile:delete ann Kim --dry-run',
    '<%= config.bin %> profile:delete ann Kim --yes --json',
  ]
  static override args = { user: userArgument, profile: profileArgument }
  static override flags = {
    yes: Flags.boolean({ char: 'y', summary: 'Do not ask for confirmation.' }),
    'dry-run': Flags.boolean({ char: 'n', summary: 'Only show what would be deleted.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]
  static override isIdempotent = false

  async run(): Promise<object> {
    const { args, flags } = await this.parse(ProfileDelete)
    const isDryRun = flags['dry-run']
    const { profile, loss, isDeleted } = await this.withServices(async (services, { signal }) => {
      const { deleteProfile } = await import('../../core/profiles/index.ts')
      const { account, profile: found } = await findProfile(services, args)
      const loss = `${found.name} of ${account.username} would be deleted with all positions, marks, ratings and plays.`
      const isWanted = !isDryRun && (flags.yes || (await confirmDeletion(loss, { mayAsk: this.shared.mayAsk, signal })))
      if (isWanted) await deleteProfile(services, { id: found.id })
      return { profile: found, loss, isDeleted: isWanted }
    })
    return this.finish({
      result: { profile_id: profile.id, name: profile.name, dry_run: isDryRun, deleted: isDeleted },
      text: isDryRun ? loss : isDeleted ? `Deleted ${profile.name}.` : 'Nothing was deleted',
      exit: isDeleted || isDryRun ? EXIT.ok : EXIT.failure,
    })
  }
}
