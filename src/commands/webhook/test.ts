import { deliveryView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { webhookArgument } from '../_support/arguments/webhook-argument.ts'
import { describeAttempt } from '../_support/output/describe-attempt.ts'

export default class WebhookTest extends BaseCommand {
  static override summary = 'Send a test delivery to a webhook.'
  static override description =
    'Makes one attempt, even if the webhook does not subscribe to webhook.test. webhook:deliveries lists the ' +
    'delivery.'
  static override examples = ['<%= config.bin %> webhook:test 0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11']
  static override args = { webhook: webhookArgument }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.partial, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args } = await this.parse(WebhookTest)
    const { record } = await this.withServices(async (services, { signal }) => {
      const { testWebhook } = await import('../../core/webhooks/index.ts')
      return testWebhook(services, args.webhook, signal)
    })
    return this.finish({
      result: { success: record.status === 'success', delivery: deliveryView(record) },
      text: describeAttempt(record),
      exit: record.status === 'success' ? EXIT.ok : EXIT.partial,
    })
  }
}
