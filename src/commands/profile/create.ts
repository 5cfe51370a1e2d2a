import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { profileDetailView } from '../../core/views/index.ts'
import { readSecretInput } from '../_support/arguments/password-input.ts'
import { readPlayLimits } from '../_support/arguments/play-limit-flags.ts'
import { profileFlags, readProfileFields } from '../_support/arguments/profile-flags.ts'
import { userArgument } from '../_support/arguments/user-argument.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { findLoaded, loadProfiles } from '../_support/load-profiles.ts'
import { describeNextSteps, describeOpenProfiles, describeProfile } from '../_support/output/describe-profile.ts'
import { playLimitsWriter } from '../_support/play-limits.ts'

export default class ProfileCreate extends BaseCommand {
  static override summary = 'Make a profile of an account.'
  static override description =
    'A profile has its own positions, favourites, history and recommendations, and can have limits within those of the account. The output ' +
    'shows what it sees, and what to do next.'
  static override examples = [
    '<%= config.bin %> profile:create ann Kim --kids --schedule "daily 07:00-19:30"',
    '<%= config.bin %> profile:create ann Teens --max-rating "FSK 12" --allow-unrated --max-streams 1',
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
    // Before anything is made, so that a refused command makes nothing.
    const playLimits = await readPlayLimits(flags)
    const pin = flags['pin-stdin'] ? await readSecretInput('PIN', this.shared) : undefined
    const { account, created, profiles } = await this.withServices(async (services) => {
      const { getNamedAccount } = await import('../../core/accounts/index.ts')
      const { createProfile } = await import('../../core/profiles/index.ts')
      const { createPasswordHashing } = await import('../../core/platform/credentials/index.ts')
      const account = await getNamedAccount(services, args.user)
      const fields = { ...(await readProfileFields(services, flags)), name: args.name }
      const needs = { ...services, passwordHashing: createPasswordHashing() }
      const storeWith = await playLimitsWriter(services, playLimits)
      const profile = await createProfile(needs, { accountId: account.id, fields, pin, storeWith })
      const profiles = await loadProfiles(services, { accountId: account.id })
      return { account, created: findLoaded(profiles, profile), profiles }
    })
    const ofAccount = { profiles, username: account.username }
    const warning = await describeOpenProfiles(ofAccount, created.profile.id)
    if (warning !== undefined) this.warn(warning)
    const done = `Created ${created.profile.name}, which sees: ${describeProfile(created)}.`
    const steps = await describeNextSteps(created, ofAccount)
    return this.finish({
      result: { profile: profileDetailView(created.profile, created) },
      text: [done, ...steps].join('\n'),
    })
  }
}
