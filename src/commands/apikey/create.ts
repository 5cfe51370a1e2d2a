import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import type { ApiKey } from '../../core/api-keys/index.ts'
import { toIsoTimestamp } from '../../core/platform/time/index.ts'
import { apiKeyView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'

const DAY_MILLISECONDS = 86_400_000
const SCOPES = ['read', 'play', 'libraries', 'admin'] as const

export default class ApikeyCreate extends BaseCommand {
  static override summary = 'Create an API key, with which a program acts for a user.'
  static override description =
    'The key is printed once; only a digest of it is stored. A key has at most the rights of its user. Scopes: read (see and fetch), play ' +
    '(transcode, report positions, mark), libraries (scan and edit), admin (other administration); the last two only for administrators. apikey:list shows the keys.'
  static override examples = [
    '<%= config.bin %> apikey:create "Home Assistant" --user ann --scope read --scope play',
    '<%= config.bin %> apikey:create Scans --user ann --scope libraries --days 365 --quiet',
  ]
  static override args = {
    name: Args.string({ required: true, ignoreStdin: true, description: 'what the key is for' }),
  }
  static override flags = {
    user: Flags.string({ required: true, helpValue: 'USER', summary: 'Username or e-mail address.' }),
    scope: Flags.string({
      required: true,
      multiple: true,
      multipleNonGreedy: true,
      options: [...SCOPES],
      summary: 'What the key may do. May be given several times.',
    }),
    days: Flags.integer({ min: 1, max: 3650, summary: 'Validity in days; default: the key does not expire.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, EXIT.notFound, EXIT.denied, ...DATABASE_EXITS]
  static override isIdempotent = false

  async run(): Promise<object> {
    const { args, flags } = await this.parse(ApikeyCreate)
    const { apiKey, key } = await this.withServices(async (services) => {
      const { getNamedAccount } = await import('../../core/accounts/index.ts')
      const { createApiKey } = await import('../../core/api-keys/index.ts')
      const account = await getNamedAccount(services, flags.user)
      const now = services.clock.now().getTime()
      const expiresAt = flags.days === undefined ? null : new Date(now + flags.days * DAY_MILLISECONDS)
      return createApiKey(services, { account, name: args.name, scopes: flags.scope, expiresAt })
    })
    return this.finish({
      result: { api_key: apiKeyView(apiKey), key },
      text: this.shared.quiet
        ? key
        : `The key “${apiKey.name}”, which ${describeExpiry(apiKey)}, shown only now: ${key}`,
      isPrintedWhenQuiet: true,
    })
  }
}

function describeExpiry({ expiresAt }: ApiKey): string {
  return expiresAt === null ? 'does not expire' : `expires ${toIsoTimestamp(expiresAt)}`
}
