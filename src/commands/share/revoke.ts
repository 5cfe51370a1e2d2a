import * as Args from '@oclif/core/args'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'

export default class ShareRevoke extends BaseCommand {
  static override summary = 'Revoke a share link: it opens no more, and what its guests are watching ends.'
  static override examples = ['<%= config.bin %> share:revoke 0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11']
  static override args = {
    id: Args.string({ required: true, ignoreStdin: true, description: 'id of the link, from share:list' }),
  }
  static override isRecorded = true
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args } = await this.parse(ShareRevoke)
    await this.withServices(async (services) => {
      const { revokeShare } = await import('../../core/shares/index.ts')
      await revokeShare(services, { id: args.id })
    })
    return this.finish({ result: { revoked: args.id }, text: `Revoked ${args.id}.` })
  }
}
