import * as Flags from '@oclif/core/flags'
import type { NotificationChannel } from '../../core/notifications/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { renderTable, type Column } from '../_support/output/table.ts'
import { isoTimestampOrNull } from '../../core/platform/time/index.ts'
import { channelView } from '../../core/views/index.ts'

const COLUMNS: readonly Column<NotificationChannel>[] = [
  { title: 'name', text: ({ name }) => name },
  { title: 'service', text: ({ service }) => service },
  { title: 'failed', text: ({ failureCount }) => String(failureCount), alignRight: true },
  { title: 'dropped', text: ({ droppedCount }) => String(droppedCount), alignRight: true },
  { title: 'last', text: ({ lastTriggeredAt }) => isoTimestampOrNull(lastTriggeredAt) ?? '-' },
  { title: 'events', text: ({ events }) => events.join(',') },
  {
    title: 'settings',
    text: ({ settings }) =>
      Object.entries(settings)
        .map(([name, value]) => `${name}=${value}`)
        .join(' '),
  },
]

export default class NotifyList extends BaseCommand {
  static override summary = 'List notification channels.'
  static override description = 'Sorted by name. Keys, passwords and addresses with a key are shown as ***.'
  static override examples = ['<%= config.bin %> notify:list', '<%= config.bin %> notify:list --json']
  static override flags = { plain: Flags.boolean({ summary: 'Tab-separated, without a header.' }) }
  static override exitCodes = [EXIT.ok, EXIT.usage, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { flags } = await this.parse(NotifyList)
    const channels = await this.withServices(async (services) => {
      const { listChannels } = await import('../../core/notifications/index.ts')
      return listChannels(services)
    })
    return this.finish({
      result: { channels: channels.map(channelView) },
      text:
        channels.length === 0 && !flags.plain
          ? 'No notification channels'
          : renderTable(COLUMNS, channels, { plain: flags.plain, output: this.output }),
    })
  }
}
