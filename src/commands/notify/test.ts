import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { channelArgument } from '../_support/arguments/channel-argument.ts'
import { describeAttempt } from '../_support/output/describe-attempt.ts'

export default class NotifyTest extends BaseCommand {
  static override summary = 'Send a test through a notification channel.'
  static override description = 'Makes one attempt. If the service refuses the message, its answer is shown.'
  static override examples = ['<%= config.bin %> notify:test phone']
  static override args = { channel: channelArgument }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.partial, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args } = await this.parse(NotifyTest)
    const record = await this.withServices(async (services, { signal }) => {
      const { testChannel } = await import('../../core/notifications/index.ts')
      return testChannel(services, args.channel, signal)
    })
    const { status, targetName: name, statusCode, errorMessage } = record
    return this.finish({
      result: { success: status === 'success', name, status_code: statusCode, error: errorMessage },
      text: describeAttempt(record),
      exit: status === 'success' ? EXIT.ok : EXIT.partial,
    })
  }
}
