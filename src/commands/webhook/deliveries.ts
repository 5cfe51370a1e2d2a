import * as Flags from '@oclif/core/flags'
import type { DeliveryRecord } from '../../core/outbox/index.ts'
import { toIsoTimestamp } from '../../core/platform/time/index.ts'
import { deliveryView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { renderTable, type Column } from '../_support/output/table.ts'

const COLUMNS: readonly Column<DeliveryRecord>[] = [
  { title: 'id', text: ({ id }) => id },
  { title: 'occurred', text: ({ occurredAt }) => toIsoTimestamp(occurredAt) },
  { title: 'status', text: ({ status }) => status },
  { title: 'attempts', text: ({ attempts }) => String(attempts), alignRight: true },
  { title: 'webhook', text: ({ targetName }) => targetName },
  { title: 'event', text: ({ event }) => event },
  { title: 'answer', text: ({ statusCode, errorMessage }) => errorMessage ?? String(statusCode ?? '-') },
]

export default class WebhookDeliveries extends BaseCommand {
  static override summary = 'List the sent and waiting deliveries of webhooks.'
  static override description = 'Newest first. Deliveries are kept for 30 days.'
  static override examples = [
    '<%= config.bin %> webhook:deliveries --status failed',
    '<%= config.bin %> webhook:deliveries --webhook 0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11 --limit 100 --json',
  ]
  static override flags = {
    webhook: Flags.string({ helpValue: 'ID', summary: 'Only deliveries of this webhook.' }),
    status: Flags.option({
      options: ['pending', 'success', 'failed', 'all'] as const,
      default: 'all',
      summary: 'Only deliveries with this status.',
    })(),
    limit: Flags.integer({ min: 1, max: 100, default: 50, summary: 'Maximum number of rows.' }),
    plain: Flags.boolean({ summary: 'Tab-separated, without a header.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { flags } = await this.parse(WebhookDeliveries)
    const { webhook: targetId, status, limit: perPage, plain } = flags
    const { deliveries, total } = await this.withServices(async (services) => {
      const { getWebhook } = await import('../../core/webhooks/index.ts')
      const { listDeliveries } = await import('../../core/outbox/index.ts')
      if (targetId !== undefined) await getWebhook(services, targetId)
      return listDeliveries(services, { kind: 'webhook', targetId, status, perPage })
    })
    return this.finish({
      result: { deliveries: deliveries.map(deliveryView), total },
      text:
        deliveries.length === 0 && !plain
          ? 'No such deliveries'
          : renderTable(COLUMNS, deliveries, { plain, output: this.output }),
    })
  }
}
