import * as Flags from '@oclif/core/flags'
import type { Webhook } from '../../core/webhooks/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { renderTable, type Column } from '../_support/output/table.ts'
import { isoTimestampOrNull } from '../../core/platform/time/index.ts'
import { webhookView } from '../../core/views/index.ts'

const COLUMNS: readonly Column<Webhook>[] = [
  { title: 'id', text: ({ id }) => id },
  { title: 'name', text: ({ name }) => name },
  { title: 'active', text: ({ isActive }) => (isActive ? 'yes' : 'no') },
  { title: 'failed', text: ({ failureCount }) => String(failureCount), alignRight: true },
  { title: 'dropped', text: ({ droppedCount }) => String(droppedCount), alignRight: true },
  { title: 'last', text: ({ lastTriggeredAt }) => isoTimestampOrNull(lastTriggeredAt) ?? '-' },
  { title: 'events', text: ({ events }) => events.join(',') },
  { title: 'url', text: ({ url }) => url },
]

export default class WebhookList extends BaseCommand {
  static override summary = 'List webhooks.'
  static override description = 'Oldest first. Secrets are not shown.'
  static override examples = ['<%= config.bin %> webhook:list', '<%= config.bin %> webhook:list --plain | cut -f1']
  static override flags = { plain: Flags.boolean({ summary: 'Tab-separated, without a header.' }) }
  static override exitCodes = [EXIT.ok, EXIT.usage, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { flags } = await this.parse(WebhookList)
    const webhooks = await this.withServices(async (services) => {
      const { listWebhooks } = await import('../../core/webhooks/index.ts')
      return listWebhooks(services)
    })
    return this.finish({
      result: { webhooks: webhooks.map(webhookView) },
      text:
        webhooks.length === 0 && !flags.plain
          ? 'No webhooks'
          : renderTable(COLUMNS, webhooks, { plain: flags.plain, output: this.output }),
    })
  }
}
