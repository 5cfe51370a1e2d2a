import * as Flags from '@oclif/core/flags'
import type { Invite } from '../../core/accounts/index.ts'
import { inviteView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { loadLibraryNames, type LibraryNames } from '../_support/load-library-names.ts'
import { describeAccess } from '../_support/output/describe-limits.ts'
import { renderTable, type Column } from '../_support/output/table.ts'

type Row = { invite: Invite; libraryNames: LibraryNames }

const COLUMNS: readonly Column<Row>[] = [
  { title: 'id', text: ({ invite }) => invite.id },
  { title: 'created', text: ({ invite }) => invite.createdAt.toISOString() },
  { title: 'expires', text: ({ invite }) => invite.expiresAt.toISOString() },
  { title: 'used', text: ({ invite }) => `${invite.uses} of ${invite.maxUses}`, alignRight: true },
  { title: 'by', text: ({ invite }) => invite.usernames.join(', ') },
  { title: 'access', text: ({ invite, libraryNames }) => describeAccess(invite.access, libraryNames) },
]

export default class InviteList extends BaseCommand {
  static override summary = 'List the invites.'
  static override examples = ['<%= config.bin %> invite:list', '<%= config.bin %> invite:list --plain | cut -f1']
  static override flags = { plain: Flags.boolean({ summary: 'Tab-separated, without a header.' }) }
  static override exitCodes = [EXIT.ok, EXIT.usage, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { flags } = await this.parse(InviteList)
    const invites = await this.withServices(async (services) => {
      const { listInvites } = await import('../../core/accounts/index.ts')
      const libraryNames = await loadLibraryNames(services)
      return (await listInvites(services)).map((invite) => ({ invite, libraryNames }))
    })
    return this.finish({
      result: { invites: invites.map(({ invite }) => inviteView(invite)) },
      text:
        invites.length === 0 && !flags.plain
          ? 'No invites: phlix invite:create'
          : renderTable(COLUMNS, invites, { plain: flags.plain, output: this.output }),
    })
  }
}
