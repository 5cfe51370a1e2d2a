import * as Args from '@oclif/core/args'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'

export default class InviteRevoke extends BaseCommand {
  static override summary = 'Revoke an invite.'
  static override description = 'Accounts that were created with the invite are not changed.'
  static override examples = ['<%= config.bin %> invite:revoke 0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11']
  static override args = {
    id: Args.string({ required: true, ignoreStdin: true, description: 'id of the invite, from invite:list' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]
  static override isIdempotent = 'not_found' as const

  async run(): Promise<object> {
    const { args } = await this.parse(InviteRevoke)
    await this.withServices(async (services) => {
      const { revokeInvite } = await import('../../core/accounts/index.ts')
      await revokeInvite(services, { id: args.id })
    })
    return this.finish({ result: { revoked: args.id }, text: `Revoked ${args.id}.` })
  }
}
