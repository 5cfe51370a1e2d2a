import * as Args from '@oclif/core/args'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'

export default class ApikeyRevoke extends BaseCommand {
  static override summary = 'Revoke an API key: it is refused from the next request on.'
  static override examples = ['<%= config.bin %> apikey:revoke 0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11']
  static override args = {
    id: Args.string({ required: true, ignoreStdin: true, description: 'id of the key, from apikey:list' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]
  static override isIdempotent = 'not_found' as const

  async run(): Promise<object> {
    const { args } = await this.parse(ApikeyRevoke)
    await this.withServices(async (services) => {
      const { revokeApiKey } = await import('../../core/api-keys/index.ts')
      await revokeApiKey(services, { id: args.id })
    })
    return this.finish({ result: { revoked: args.id }, text: `Revoked ${args.id}.` })
  }
}
