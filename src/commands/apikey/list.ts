import * as Flags from '@oclif/core/flags'
import type { ApiKey } from '../../core/api-keys/index.ts'
import { isoTimestampOrNull } from '../../core/platform/time/index.ts'
import { apiKeyView } from '../../core/views/index.ts'
import { optionalUserArgument, readUser, userFlag } from '../_support/arguments/user-argument.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { renderTable, type Column } from '../_support/output/table.ts'

type Row = { key: ApiKey; hasExpired: boolean }

const COLUMNS: readonly Column<Row>[] = [
  { title: 'id', text: ({ key }) => key.id },
  { title: 'username', text: ({ key }) => key.username },
  { title: 'name', text: ({ key }) => key.name },
  { title: 'key', text: ({ key }) => `${key.hint}…` },
  { title: 'scopes', text: ({ key }) => key.scopes.join(',') },
  {
    title: 'expires',
    text: ({ key, hasExpired }) => `${isoTimestampOrNull(key.expiresAt) ?? 'never'}${hasExpired ? ' (expired)' : ''}`,
  },
  { title: 'last used', text: ({ key }) => isoTimestampOrNull(key.lastUsedAt) ?? 'never' },
]

export default class ApikeyList extends BaseCommand {
  static override summary = 'List the API keys.'
  static override examples = ['<%= config.bin %> apikey:list', '<%= config.bin %> apikey:list ann --json']
  static override description =
    'Without a user: of all users. A key that has expired is refused; it stays in the list until it is revoked.'
  static override args = { user: optionalUserArgument }
  static override flags = {
    user: userFlag,
    plain: Flags.boolean({ summary: 'Tab-separated, without a header.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args, flags } = await this.parse(ApikeyList)
    const user = readUser({ argument: args.user, flag: flags.user })
    const keys = await this.withServices(async (services) => {
      const { getNamedAccount } = await import('../../core/accounts/index.ts')
      const { listApiKeys } = await import('../../core/api-keys/index.ts')
      const account = user === undefined ? undefined : await getNamedAccount(services, user)
      const now = services.clock.now()
      const listed = await listApiKeys(services, { accountId: account?.id })
      return listed.map((key) => ({ key, hasExpired: key.expiresAt !== null && key.expiresAt <= now }))
    })
    return this.finish({
      result: { api_keys: keys.map(({ key }) => apiKeyView(key)) },
      text:
        keys.length === 0 && !flags.plain
          ? 'No API keys: phlix apikey:create'
          : renderTable(COLUMNS, keys, { plain: flags.plain, output: this.output }),
    })
  }
}
