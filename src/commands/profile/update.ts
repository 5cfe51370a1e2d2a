import * as Flags from '@oclif/core/flags'
import { profileView } from '../../core/views/index.ts'
import {
  describeAccess,
  describeStreams,
  readStreamChanges,
  readTagRemovals,
  streamFlags,
  tagRemovalFlags,
} from '../_support/arguments/access-limits.ts'
import { findProfile, profileArgument } from '../_support/arguments/profile-argument.ts'
import { profileFlags, readProfileFields } from '../_support/arguments/profile-flags.ts'
import { checkExclusive } from '../_support/arguments/exclusive-flags.ts'
import { userArgument } from '../_support/arguments/user-argument.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'

export default class ProfileUpdate extends BaseCommand {
  static override summary = 'Change a profile.'
  static override description =
    'What is not named stays. A running server applies changed limits to the next request. The main profile is limited with its account.'
  static override examples = [
    '<%= config.bin %> profile:update ann Kim --max-rating 12',
    '<%= config.bin %> profile:update ann Kim --no-kids --no-max-rating --download',
  ]
  static override args = { user: userArgument, profile: profileArgument }
  static override flags = {
    name: Flags.string({ helpValue: 'NAME', summary: 'New name, 3 to 50 characters.' }),
    ...profileFlags,
    'all-libraries': Flags.boolean({ summary: 'Remove the limit to some libraries.' }),
    'no-max-rating': Flags.boolean({ summary: 'Remove the limit by content rating.' }),
    ...tagRemovalFlags,
    ...streamFlags,
  }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args, flags } = await this.parse(ProfileUpdate)
    checkExclusive(flags['all-libraries'] && flags.library !== undefined, '--all-libraries', '--library')
    checkExclusive(flags['no-max-rating'] && flags['max-rating'] !== undefined, '--no-max-rating', '--max-rating')
    const tagRemovals = readTagRemovals(flags)
    const streamChanges = readStreamChanges(flags)
    const { profile, streams, limits } = await this.withServices(async (services) => {
      const { updateProfile, readLimitsOf } = await import('../../core/profiles/index.ts')
      const { checkStreamLimits, setStreamLimits } = await import('../../core/playback-limits/index.ts')
      // Before the first change, so that a refused command changes nothing.
      checkStreamLimits(streamChanges)
      const { profile: found } = await findProfile(services, args)
      const fields = await readProfileFields(services, flags)
      const more = {
        ...(flags['all-libraries'] && { libraryIds: null }),
        ...(flags['no-max-rating'] && { maxAge: null }),
        ...tagRemovals,
      }
      const changes = { ...fields, name: flags.name, limits: { ...fields.limits, ...more } }
      const changed = await updateProfile(services, { id: found.id, fields: changes })
      const { id: profileId, accountId } = changed
      const streams = await setStreamLimits(services, { owner: { profileId }, accountId, changes: streamChanges })
      return { profile: changed, streams, limits: await readLimitsOf(services, changed) }
    })
    return this.finish({
      result: { profile: profileView(profile, limits) },
      text: `${profile.name} sees: ${describeAccess(limits)}${describeStreams(streams)}.`,
    })
  }
}
