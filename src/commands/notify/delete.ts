import { channelView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { channelArgument } from '../_support/arguments/channel-argument.ts'

export default class NotifyDelete extends BaseCommand {
  static override summary = 'Delete a notification channel.'
  static override description = 'Messages that wait for this channel are deleted too.'
  static override examples = ['<%= config.bin %> notify:delete phone']
  static override args = { channel: channelArgument }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]
  static override isIdempotent = 'not_found' as const

  async run(): Promise<object> {
    const { args } = await this.parse(NotifyDelete)
    const channel = await this.withServices(async (services) => {
      const { removeChannel } = await import('../../core/notifications/index.ts')
      return removeChannel(services, args.channel)
    })
    return this.finish({ result: { channel: channelView(channel) }, text: `Deleted ${channel.name}.` })
  }
}
