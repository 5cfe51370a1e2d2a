import * as Flags from '@oclif/core/flags'
import { accessView, scheduleView, streamLimitsView, userView } from '../../core/views/index.ts'
import { limitFlags, limitRemovalFlags, readLimits, readRemovals } from '../_support/arguments/access-limits.ts'
import { playLimitFlags, playLimitRemovalFlags, readPlayLimits } from '../_support/arguments/play-limit-flags.ts'
import { requireChange } from '../_support/arguments/require-change.ts'
import { userArgument } from '../_support/arguments/user-argument.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { loadLimitedAccount, type LimitedAccount } from '../_support/load-limited-accounts.ts'
import { describeLimits } from '../_support/output/describe-limits.ts'

export default class UserUpdate extends BaseCommand {
  static override summary = 'Change what an account may see, play and download.'
  static override description =
    'Limits that are not named stay. A running server applies the change to the next request. Administrators see everything. Schedules and ' +
    'limits of streams and bandwidth apply to all profiles of the account together; profile:update limits one profile.'
  static override examples = [
    '<%= config.bin %> user:update kim --library Cartoons --library Music --max-rating 12',
    '<%= config.bin %> user:update kim --schedule "mon-fri 07:00-20:00" --schedule "sat,sun 08:00-21:30" --max-streams 1',
    '<%= config.bin %> user:update kim --all-libraries --no-max-rating --no-schedules',
    '<%= config.bin %> user:update kim --block-tag gore --block-tag explicit',
  ]
  static override args = { user: userArgument }
  static override flags = {
    ...limitFlags,
    ...limitRemovalFlags,
    ...playLimitFlags,
    ...playLimitRemovalFlags,
    download: Flags.boolean({ allowNo: true, summary: 'Whether the account and its profiles may download.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args, flags, raw } = await this.parse(UserUpdate)
    requireChange({ raw }, UserUpdate.flags, { hint: `phlix user:show ${args.user} shows the present limits` })
    const removals = readRemovals(flags)
    const playLimits = await readPlayLimits(flags)
    const { changed, isChanged } = await this.withServices(async (services) => {
      const { getNamedAccount, setAccess } = await import('../../core/accounts/index.ts')
      const changes = { ...(await readLimits(services, flags)), ...removals }
      const account = await getNamedAccount(services, args.user)
      const before = await loadLimitedAccount(services, account)
      const limits = { changes, ...playLimits, mayDownload: flags.download }
      const { account: after } = await setAccess(services, { accountId: account.id, ...limits })
      const changed = await loadLimitedAccount(services, after)
      return { changed, isChanged: describeAll(before) !== describeAll(changed) }
    })
    const { account, access, streams, schedules } = changed
    return this.finish({
      result: {
        user: userView(account),
        access: accessView(access),
        can_download: account.mayDownload,
        stream_limits: streamLimitsView(streams),
        schedules: schedules.map(scheduleView),
        changed: isChanged,
      },
      text: `${account.username} sees ${isChanged ? 'now' : 'already'}: ${describeLimits(changed)}.`,
    })
  }
}

/** Equal texts mean equal limits. */
function describeAll({ access, streams, hours, mayDownload }: LimitedAccount): string {
  return JSON.stringify([accessView(access), streamLimitsView(streams), hours, mayDownload])
}
