import * as Flags from '@oclif/core/flags'
import { accessView, userView } from '../../core/views/index.ts'
import { describeAccess, limitFlags, readLimits } from '../_support/arguments/access-limits.ts'
import { refuseTogether } from '../_support/arguments/refuse-together.ts'
import { userArgument } from '../_support/arguments/user-argument.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { commandErrors } from '../_support/errors.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'

export default class UserUpdate extends BaseCommand {
  static override summary = 'Change what an account may see.'
  static override description =
    'Limits that are not named stay. A running server applies the change to the next request. Administrators see everything.'
  static override examples = [
    '<%= config.bin %> user:update kim --library Cartoons --library Music --max-rating 12',
    '<%= config.bin %> user:update kim --all-libraries --no-max-rating',
    '<%= config.bin %> user:update kim --block-tag gore --block-tag explicit',
  ]
  static override args = { user: userArgument }
  static override flags = {
    ...limitFlags,
    'all-libraries': Flags.boolean({ summary: 'Remove the limit to some libraries.' }),
    'no-max-rating': Flags.boolean({ summary: 'Remove the limit by content rating.' }),
    'no-block-tags': Flags.boolean({ summary: 'Remove the limit by blocked tags.' }),
    'no-allow-tags': Flags.boolean({ summary: 'Remove the limit to some tags.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args, flags, raw } = await this.parse(UserUpdate)
    if (!raw.some((token) => token.type === 'flag' && Object.hasOwn(UserUpdate.flags, token.flag))) {
      throw commandErrors.usage({
        message: 'Nothing to change: give a limit, for example --library or --max-rating; --help lists them',
        hint: `phlix user:show ${args.user} shows the present limits`,
      })
    }
    refuseTogether(flags['all-libraries'] && flags.library !== undefined, '--all-libraries', '--library')
    refuseTogether(flags['no-max-rating'] && flags['max-rating'] !== undefined, '--no-max-rating', '--max-rating')
    refuseTogether(flags['no-block-tags'] && flags['block-tag'] !== undefined, '--no-block-tags', '--block-tag')
    refuseTogether(flags['no-allow-tags'] && flags['allow-tag'] !== undefined, '--no-allow-tags', '--allow-tag')
    const { account, access, isChanged } = await this.withServices(async (services) => {
      const { readAccess, setAccess } = await import('../../core/accounts/index.ts')
      const changes = {
        ...(await readLimits(services, flags)),
        ...(flags['all-libraries'] && { libraryIds: null }),
        ...(flags['no-max-rating'] && { maxAge: null }),
        ...(flags['no-block-tags'] && { blockedTags: [] }),
        ...(flags['no-allow-tags'] && { allowedTags: [] }),
      }
      const before = await readAccess(services, { usernameOrEmail: args.user })
      const after = await setAccess(services, { usernameOrEmail: args.user, changes })
      return { ...after, isChanged: before.account.policyId !== after.account.policyId }
    })
    return this.finish({
      result: { user: userView(account), access: accessView(access), changed: isChanged },
      text: `${account.username} sees ${isChanged ? 'now' : 'already'}: ${describeAccess(access)}.`,
    })
  }
}
