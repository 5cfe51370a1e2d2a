import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { webhookArgument } from '../_support/arguments/webhook-argument.ts'

export default class WebhookDelete extends BaseCommand {
  static override summary = 'Delete a webhook.'
  static override description = 'Waiting deliveries and the delivery log of the webhook are deleted too.'
  static override examples = ['<%= config.bin %> webhook:delete 0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11']
  static override args = { webhook: webhookArgument }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]
  static override isIdempotent = 'not_found' as const

  async run(): Promise<object> {
    const { args } = await this.parse(WebhookDelete)
    await this.withServices(async (services) => {
      const { deleteWebhook } = await import('../../core/webhooks/index.ts')
      await deleteWebhook(services, args.webhook)
    })
    return this.finish({ result: { deleted: args.webhook }, text: 'Deleted.' })
  }
}
