import * as Flags from '@oclif/core/flags'
import { readSecretInput } from '../_support/arguments/password-input.ts'
import { findProfile, profileArgument } from '../_support/arguments/profile-argument.ts'
import { userArgument } from '../_support/arguments/user-argument.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { loadProfiles } from '../_support/load-profiles.ts'
import { describeOpenProfiles } from '../_support/output/describe-profile.ts'

export default class ProfilePin extends BaseCommand {
  static override summary = 'Give a profile a PIN, or remove it.'
  static override description =
    'The PIN has 4 or 6 digits and is read from standard input; on a terminal a prompt asks for it. Who switches to the profile needs it, or ' +
    'the password of the account.'
  static override examples = [
    'printf 2580 | <%= config.bin %> profile:pin ann Parents',
    '<%= config.bin %> profile:pin ann Parents --remove',
  ]
  static override args = { user: userArgument, profile: profileArgument }
  static override flags = { remove: Flags.boolean({ summary: 'Remove the PIN.' }) }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args, flags } = await this.parse(ProfilePin)
    const pin = flags.remove ? '' : await readSecretInput('PIN', this.shared)
    const { account, profile, profiles } = await this.withServices(async (services) => {
      const { profileErrors, setPin } = await import('../../core/profiles/index.ts')
      const { createPasswordHashing } = await import('../../core/platform/credentials/index.ts')
      const { account, profile: found } = await findProfile(services, args)
      if (pin === '' && !flags.remove) throw profileErrors.profile_invalid({ message: 'a PIN is 4 or 6 digits' })
      const profile = await setPin({ ...services, passwordHashing: createPasswordHashing() }, { id: found.id, pin })
      return { account, profile, profiles: await loadProfiles(services, { accountId: account.id }) }
    })
    const warning = await describeOpenProfiles({ profiles, username: account.username }, profile.id)
    if (warning !== undefined) this.warn(warning)
    return this.finish({
      result: { profile_id: profile.id, name: profile.name, has_pin: profile.hasPin },
      text: `${profile.name} has ${profile.hasPin ? 'a' : 'no'} PIN.`,
    })
  }
}
