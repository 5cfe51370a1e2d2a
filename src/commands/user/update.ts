import * as Flags from '@oclif/core/flags'
import type { StreamLimits } from '../../core/playback-limits/index.ts'
import { accessView, streamLimitsView, userView } from '../../core/views/index.ts'
import {
  describeAccess,
  describeDownloads,
  describeStreams,
  limitFlags,
  readLimits,
  readStreamChanges,
  readTagRemovals,
  streamFlags,
  tagRemovalFlags,
} from '../_support/arguments/access-limits.ts'
import { checkExclusive } from '../_support/arguments/exclusive-flags.ts'
import { userArgument } from '../_support/arguments/user-argument.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { commandErrors } from '../_support/errors.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'

export default class UserUpdate extends BaseCommand {
  static override summary = 'Change what an account may see, play and download.'
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
    ...tagRemovalFlags,
    ...streamFlags,
    download: Flags.boolean({ allowNo: true, summary: 'Whether the account and its profiles may download.' }),
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
    checkExclusive(flags['all-libraries'] && flags.library !== undefined, '--all-libraries', '--library')
    checkExclusive(flags['no-max-rating'] && flags['max-rating'] !== undefined, '--no-max-rating', '--max-rating')
    const tagRemovals = readTagRemovals(flags)
    const streamChanges = readStreamChanges(flags)
    const { account, access, streams, isChanged } = await this.withServices(async (services) => {
      const { readAccess, setAccess } = await import('../../core/accounts/index.ts')
      const changes = {
        ...(await readLimits(services, flags)),
        ...(flags['all-libraries'] && { libraryIds: null }),
        ...(flags['no-max-rating'] && { maxAge: null }),
        ...tagRemovals,
      }
      const before = await readAccess(services, { usernameOrEmail: args.user })
      const { readStreamLimits } = await import('../../core/playback-limits/index.ts')
      const streamsBefore = await readStreamLimits(services, { accountId: before.account.id })
      const limits = { changes, streams: streamChanges, mayDownload: flags.download }
      const after = await setAccess(services, { accountId: before.account.id, ...limits })
      const factsOf = ({ account: { policyId, mayDownload } }: typeof before, { maxStreams, maxKbps }: StreamLimits) =>
        JSON.stringify([policyId, mayDownload, maxStreams, maxKbps])
      return { ...after, isChanged: factsOf(before, streamsBefore) !== factsOf(after, after.streams) }
    })
    return this.finish({
      result: {
        user: userView(account),
        access: accessView(access),
        can_download: account.mayDownload,
        stream_limits: streamLimitsView(streams),
        changed: isChanged,
      },
      text: `${account.username} sees ${isChanged ? 'now' : 'already'}: ${describeAccess(access)}${describeStreams(streams)}${describeDownloads(account)}.`,
    })
  }
}
