import * as Args from '@oclif/core/args'
import { deliveryView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { describeAttempt } from '../_support/output/describe-attempt.ts'

export default class WebhookRedeliver extends BaseCommand {
  static override summary = 'Send a delivery of a webhook again.'
  static override description =
    'Makes one attempt, with the same id and the same content. A delivery that still waits for the server is refused.'
  static override examples = ['<%= config.bin %> webhook:redeliver 0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11']
  static override args = {
    delivery: Args.string({
      required: true,
      ignoreStdin: true,
      description: 'id of the delivery, from webhook:deliveries',
    }),
  }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, EXIT.partial, EXIT.notFound, ...DATABASE_EXITS]
  static override isIdempotent = false

  async run(): Promise<object> {
    const { args } = await this.parse(WebhookRedeliver)
    const record = await this.withServices(async (services, { signal }) => {
      const { redeliverToWebhook } = await import('../../core/webhooks/index.ts')
      return redeliverToWebhook(services, args.delivery, signal)
    })
    return this.finish({
      result: { success: record.status === 'success', delivery: deliveryView(record) },
      text: describeAttempt(record),
      exit: record.status === 'success' ? EXIT.ok : EXIT.partial,
    })
  }
}
