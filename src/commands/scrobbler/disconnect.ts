import * as Args from '@oclif/core/args'
import type { ScrobbleServiceName } from '../../core/scrobbling/index.ts'
import { scrobblerView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { userArgument } from '../_support/arguments/user-argument.ts'

const SERVICES = ['lastfm', 'listenbrainz', 'trakt'] as const satisfies ScrobbleServiceName[]

export default class ScrobblerDisconnect extends BaseCommand {
  static override summary = 'End the connection of an account with a scrobbling service.'
  static override description = 'Plays that are not reported yet are not reported any more.'
  static override examples = ['<%= config.bin %> scrobbler:disconnect ada lastfm']
  static override args = {
    user: userArgument,
    service: Args.string({ required: true, ignoreStdin: true, options: [...SERVICES], description: 'the service' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args } = await this.parse(ScrobblerDisconnect)
    const service = SERVICES.find((name) => name === args.service) ?? 'listenbrainz'
    const connection = await this.withServices(async (services) => {
      const [{ disconnectScrobbler }, { getNamedAccount }] = await Promise.all([
        import('../../core/scrobbling/index.ts'),
        import('../../core/accounts/index.ts'),
      ])
      const { id: userId } = await getNamedAccount(services, args.user)
      return disconnectScrobbler(services, { userId, service })
    })
    return this.finish({
      result: { connection: scrobblerView(connection) },
      text: `${args.user} is not connected with ${service} any more.`,
    })
  }
}
