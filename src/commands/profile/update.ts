import * as Flags from '@oclif/core/flags'
import { profileDetailView } from '../../core/views/index.ts'
import { limitRemovalFlags, readRemovals } from '../_support/arguments/access-limits.ts'
import { playLimitRemovalFlags, readPlayLimits } from '../_support/arguments/play-limit-flags.ts'
import { findProfile, profileArgument } from '../_support/arguments/profile-argument.ts'
import { profileFlags, readProfileFields } from '../_support/arguments/profile-flags.ts'
import { requireChange } from '../_support/arguments/require-change.ts'
import { userArgument } from '../_support/arguments/user-argument.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { findLoaded, loadProfiles } from '../_support/load-profiles.ts'
import { describeOpenProfiles, describeProfile } from '../_support/output/describe-profile.ts'
import { playLimitsWriter } from '../_support/play-limits.ts'

export default class ProfileUpdate extends BaseCommand {
  static override summary = 'Change a profile.'
  static override description =
    'What is not named stays. A running server applies changed limits to the next request. The main profile is limited with its account: ' +
    'user:update. Schedules that are given replace the earlier ones.'
  static override examples = [
    '<%= config.bin %> profile:update ann Kim --max-rating 12',
    '<%= config.bin %> profile:update ann Kim --schedule "mon-fri 07:00-20:00" --schedule "sat,sun 08:00-21:30"',
    '<%= config.bin %> profile:update ann Kim --no-kids --no-max-rating --no-schedules --download',
  ]
  static override args = { user: userArgument, profile: profileArgument }
  static override flags = {
    name: Flags.string({ helpValue: 'NAME', summary: 'New name, 3 to 50 characters.' }),
    ...profileFlags,
    ...limitRemovalFlags,
    ...playLimitRemovalFlags,
  }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args, flags, raw } = await this.parse(ProfileUpdate)
    requireChange({ raw }, ProfileUpdate.flags, { hint: `phlix profile:list ${args.user} shows the present limits` })
    // Before the first change, so that a refused command changes nothing.
    const removals = readRemovals(flags)
    const playLimits = await readPlayLimits(flags)
    const { account, changed, profiles } = await this.withServices(async (services) => {
      const { profileErrors, updateProfile } = await import('../../core/profiles/index.ts')
      const { account, profile: found } = await findProfile(services, args)
      const fields = await readProfileFields(services, flags)
      const limits = { ...fields.limits, ...removals }
      const ofPlaying = [...Object.values(playLimits.streams), playLimits.schedules]
      const asked = [fields.isKids, fields.mayDownload, ...Object.values(limits), ...ofPlaying]
      const isLimiting = asked.some((one) => one !== undefined)
      if (found.isMain && isLimiting) {
        throw profileErrors.main_profile({
          message: 'The main profile has the limits of its account, and is not for children',
          hint: `phlix user:update ${args.user} limits the account with all its profiles`,
        })
      }
      const changes = { ...fields, name: flags.name, limits }
      const storeWith = await playLimitsWriter(services, playLimits)
      const profile = await updateProfile(services, { id: found.id, fields: changes, storeWith })
      const profiles = await loadProfiles(services, { accountId: account.id })
      return { account, changed: findLoaded(profiles, profile), profiles }
    })
    const warning = await describeOpenProfiles({ profiles, username: account.username }, changed.profile.id)
    if (warning !== undefined) this.warn(warning)
    return this.finish({
      result: { profile: profileDetailView(changed.profile, changed) },
      text: `${changed.profile.name} sees: ${describeProfile(changed)}.`,
    })
  }
}
