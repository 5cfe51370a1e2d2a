import { scrobblerView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { readScrobblerArguments, scrobblerArguments } from '../_support/arguments/scrobbler-arguments.ts'
import { userFlag } from '../_support/arguments/user-argument.ts'

export default class ScrobblerDisconnect extends BaseCommand {
  static override summary = 'End the connection of an account with a scrobbling service.'
  static override description = 'Plays that are not reported yet are not reported any more.'
  static override examples = ['<%= config.bin %> scrobbler:disconnect ada lastfm']
  static override args = scrobblerArguments
  static override flags = { user: userFlag }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]
  static override isIdempotent = 'not_found' as const

  async run(): Promise<object> {
    const { args, flags } = await this.parse(ScrobblerDisconnect)
    const { user, service } = readScrobblerArguments(args, flags.user)
    const connection = await this.withServices(async (services) => {
      const [{ disconnectScrobbler }, { getNamedAccount }] = await Promise.all([
        import('../../core/scrobbling/index.ts'),
        import('../../core/accounts/index.ts'),
      ])
      const { id: userId } = await getNamedAccount(services, user)
      return disconnectScrobbler(services, { userId, service })
    })
    return this.finish({
      result: { connection: scrobblerView(connection) },
      text: `${user} is not connected with ${service} any more.`,
    })
  }
}
