import type { Profile, RankedLimits } from '../../core/profiles/index.ts'
import * as Flags from '@oclif/core/flags'
import { profileView } from '../../core/views/index.ts'
import { describeAccess } from '../_support/arguments/access-limits.ts'
import { userArgument } from '../_support/arguments/user-argument.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { renderTable, type Column } from '../_support/output/table.ts'

type Row = { profile: Profile; limits: RankedLimits }

const COLUMNS: readonly Column<Row>[] = [
  { title: 'id', text: ({ profile }) => profile.id },
  { title: 'name', text: ({ profile }) => profile.name },
  { title: 'kind', text: ({ profile: { isMain, isKids } }) => (isMain ? 'main' : isKids ? 'kids' : '') },
  { title: 'pin', text: ({ profile }) => (profile.hasPin ? 'yes' : '') },
  { title: 'access', text: ({ limits }) => describeAccess(limits) },
]

export default class ProfileList extends BaseCommand {
  static override summary = 'List the profiles of an account.'
  static override description =
    'The column `access` shows the limits of the profile itself; those of the account apply as well.'
  static override examples = ['<%= config.bin %> profile:list ann', '<%= config.bin %> profile:list ann --json']
  static override args = { user: userArgument }
  static override flags = { plain: Flags.boolean({ summary: 'Tab-separated, without a header.' }) }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args, flags } = await this.parse(ProfileList)
    const rows = await this.withServices(async (services) => {
      const { getNamedAccount } = await import('../../core/accounts/index.ts')
      const { listProfiles, readLimitsOf } = await import('../../core/profiles/index.ts')
      const { id: accountId } = await getNamedAccount(services, args.user)
      const profiles = await listProfiles(services, { accountId })
      return Promise.all(profiles.map(async (profile) => ({ profile, limits: await readLimitsOf(services, profile) })))
    })
    return this.finish({
      result: { profiles: rows.map(({ profile, limits }) => profileView(profile, limits)) },
      text: renderTable(COLUMNS, rows, { plain: flags.plain, output: this.output }),
    })
  }
}
