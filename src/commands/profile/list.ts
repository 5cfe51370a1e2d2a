import * as Flags from '@oclif/core/flags'
import { profileDetailView } from '../../core/views/index.ts'
import { userArgument } from '../_support/arguments/user-argument.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { loadLimitedAccount } from '../_support/load-limited-accounts.ts'
import { loadProfiles, type LimitedProfile } from '../_support/load-profiles.ts'
import { describeLimits } from '../_support/output/describe-limits.ts'
import { describeProfile } from '../_support/output/describe-profile.ts'
import { renderTable, type Column } from '../_support/output/table.ts'

const COLUMNS: readonly Column<LimitedProfile>[] = [
  { title: 'id', text: ({ profile }) => profile.id },
  { title: 'name', text: ({ profile }) => profile.name },
  { title: 'kind', text: ({ profile: { isMain, isKids } }) => (isMain ? 'main' : isKids ? 'kids' : '') },
  { title: 'pin', text: ({ profile }) => (profile.hasPin ? 'yes' : '') },
  { title: 'access', text: describeProfile },
]

export default class ProfileList extends BaseCommand {
  static override summary = 'List the profiles of an account.'
  static override description =
    'The column `access` shows the limits of the profile itself: libraries, age, tags, streams, bandwidth, schedules and downloads. Those of the ' +
    'account apply as well and are printed below the table. Schedules of the main profile apply to all profiles. ' +
    'A narrow terminal cuts the column; user:show prints whole lines.'
  static override examples = ['<%= config.bin %> profile:list ann', '<%= config.bin %> profile:list ann --json']
  static override args = { user: userArgument }
  static override flags = { plain: Flags.boolean({ summary: 'Tab-separated, without a header.' }) }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args, flags } = await this.parse(ProfileList)
    const { limited, profiles } = await this.withServices(async (services) => {
      const { getNamedAccount } = await import('../../core/accounts/index.ts')
      const account = await getNamedAccount(services, args.user)
      const limited = await loadLimitedAccount(services, account)
      return { limited, profiles: await loadProfiles(services, { accountId: account.id }) }
    })
    const table = renderTable(COLUMNS, profiles, { plain: flags.plain, output: this.output })
    const ofAccount = describeLimits(limited)
    const isShown = ofAccount !== 'everything' && !flags.plain
    return this.finish({
      result: { profiles: profiles.map((one) => profileDetailView(one.profile, one)) },
      text: isShown ? `${table}\nThe account, with all its profiles, sees: ${ofAccount}.` : table,
    })
  }
}
