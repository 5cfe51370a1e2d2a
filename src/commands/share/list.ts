import * as Flags from '@oclif/core/flags'
import { isoTimestampOrNull, toIsoTimestamp } from '../../core/platform/time/index.ts'
import type { CoreServices } from '../../core/core-services.ts'
import type { Share } from '../../core/shares/index.ts'
import { shareView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { renderTable, type Column } from '../_support/output/table.ts'

const COLUMNS: readonly Column<Share>[] = [
  { title: 'id', text: ({ id }) => id },
  { title: 'username', text: ({ username }) => username },
  { title: 'kind', text: ({ kind }) => kind },
  { title: 'title', text: ({ title }) => title ?? '' },
  { title: 'expires', text: ({ expiresAt }) => toIsoTimestamp(expiresAt) },
  { title: 'uses', text: ({ uses, maxUses }) => (maxUses === null ? String(uses) : `${uses}/${maxUses}`) },
  { title: 'password', text: ({ hasPassword }) => (hasPassword ? 'yes' : 'no') },
  { title: 'may be saved', text: ({ allowsDownload }) => (allowsDownload ? 'yes' : 'no') },
  { title: 'last used', text: ({ lastUsedAt }) => isoTimestampOrNull(lastUsedAt) ?? 'never' },
]

export default class ShareList extends BaseCommand {
  static override summary = 'List the share links.'
  static override description = 'The title is empty if the thing is gone, or hidden from the user of the link.'
  static override examples = ['<%= config.bin %> share:list', '<%= config.bin %> share:list --user ann --json']
  static override flags = {
    user: Flags.string({ helpValue: 'USER', summary: 'Username or e-mail address; default: all users.' }),
    plain: Flags.boolean({ summary: 'Tab-separated, without a header.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { flags } = await this.parse(ShareList)
    const shares = await this.withServices(async (services) => {
      const { getNamedAccount } = await import('../../core/accounts/index.ts')
      const account = flags.user === undefined ? undefined : await getNamedAccount(services, flags.user)
      return listAsSeen(services, account?.id)
    })
    return this.finish({
      result: { shares: shares.map(shareView) },
      text:
        shares.length === 0 && !flags.plain
          ? 'No share links: phlix share:create'
          : renderTable(COLUMNS, shares, { plain: flags.plain, output: this.output }),
    })
  }
}

/** The links with the titles that their own users see. */
async function listAsSeen(services: CoreServices, accountId: string | undefined): Promise<readonly Share[]> {
  const { listSharesUnpaged } = await import('../../core/shares/index.ts')
  const { runAsAccount } = await import('../../core/run-as-account.ts')
  const shares = await listSharesUnpaged(services, { accountId })
  const seen = new Map<string, Share>()
  // One account after the other, because each may open connections.
  for (const id of new Set(shares.map((share) => share.accountId))) {
    for (const share of await runAsAccount(services, id, (db) =>
      listSharesUnpaged({ ...services, db }, { accountId: id }),
    ))
      seen.set(share.id, share)
  }
  return shares.flatMap(({ id }) => seen.get(id) ?? [])
}
