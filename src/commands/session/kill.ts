import * as Args from '@oclif/core/args'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'

export default class SessionKill extends BaseCommand {
  static override summary = 'End a session: its client must sign in again.'
  static override description =
    'Requests with its tokens are refused immediately; its WebSockets close within 1 s. user:reset-password ends all sessions of a user.'
  static override examples = ['<%= config.bin %> session:kill 0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11']
  static override args = {
    id: Args.string({ required: true, ignoreStdin: true, description: 'id of the session, from session:list' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]
  static override isIdempotent = 'not_found' as const

  async run(): Promise<object> {
    const { args } = await this.parse(SessionKill)
    const { sessionId, accountId } = await this.withServices(async (services) => {
      const { revokeSession } = await import('../../core/accounts/index.ts')
      return revokeSession(services, args.id)
    })
    return this.finish({ result: { session: { id: sessionId, user_id: accountId } }, text: `${sessionId} is ended.` })
  }
}
