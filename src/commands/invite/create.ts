import * as Flags from '@oclif/core/flags'
import { inviteView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'

const DAY_SECONDS = 86_400

export default class InviteCreate extends BaseCommand {
  static override summary = 'Create an invite, with which one person can register.'
  static override description =
    'The code is printed once; only a digest of it is stored. Open http://SERVER:8096/#invite=CODE, or send it as ' +
    'invite_code. An invite permits a registration in every mode of accounts.registration except closed.'
  static override examples = ['<%= config.bin %> invite:create', '<%= config.bin %> invite:create --days 30 --quiet']
  static override flags = {
    days: Flags.integer({ default: 7, min: 1, max: 365, summary: 'Validity in days.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, ...DATABASE_EXITS]
  static override isIdempotent = false

  async run(): Promise<object> {
    const { flags } = await this.parse(InviteCreate)
    const { invite, code } = await this.withServices(async (services) => {
      const { createInvite } = await import('../../core/accounts/index.ts')
      return createInvite(services, { lifetimeSeconds: flags.days * DAY_SECONDS })
    })
    const text = `Invite until ${invite.expiresAt.toISOString()}, shown only now: ${code}`
    return this.finish({
      result: { invite: inviteView(invite), invite_code: code },
      text: this.shared.quiet ? code : text,
      isPrintedWhenQuiet: true,
    })
  }
}
