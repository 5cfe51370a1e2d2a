import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { profileView } from '../../core/views/index.ts'
import { describeAccess } from '../_support/arguments/access-limits.ts'
import { readSecretInput } from '../_support/arguments/password-input.ts'
import { profileFlags, readProfileFields } from '../_support/arguments/profile-flags.ts'
import { userArgument } from '../_support/arguments/user-argument.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'

export default class ProfileCreate extends BaseCommand {
  static override summary = 'Make a profile of an account.'
  static override description =
    'A profile has its own positions, favourites, history and recommendations, and can have limits within those of the account.'
  static override examples = [
    '<%= config.bin %> profile:create ann Kim --kids',
    '<%= config.bin %> profile:create ann Teens --max-rating "FSK 12" --allow-unrated',
  ]
  static override args = {
    user: userArgument,
    name: Args.string({ required: true, ignoreStdin: true, description: '3 to 50 characters' }),
  }
  static override flags = {
    ...profileFlags,
    'pin-stdin': Flags.boolean({ summary: 'Read a PIN of 4 or 6 digits from standard input.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]
  static override isIdempotent = false

  async run(): Promise<object> {
    const { args, flags } = await this.parse(ProfileCreate)
    const pin = flags['pin-stdin'] ? await readSecretInput('PIN', this.shared) : undefined
    const { profile, limits } = await this.withServices(async (services) => {
      const { getNamedAccount } = await import('../../core/accounts/index.ts')
      const { createProfile, readLimitsOf } = await import('../../core/profiles/index.ts')
      const { createPasswordHashing } = await import('../../core/platform/credentials/index.ts')
      const { id: accountId } = await getNamedAccount(services, args.user)
      const fields = { ...(await readProfileFields(services, flags)), name: args.name }
      const needs = { ...services, passwordHashing: createPasswordHashing() }
      const created = await createProfile(needs, { accountId, fields, pin })
      return { profile: created, limits: await readLimitsOf(services, created) }
    })
    return this.finish({
      result: { profile: profileView(profile, limits) },
      text: `Created ${profile.name}, which sees: ${describeAccess(limits)}.`,
    })
  }
}
