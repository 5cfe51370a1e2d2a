import * as Flags from '@oclif/core/flags'
import type { hubServerView } from '../../../core/hub/index.ts'
import { BaseCommand } from '../../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../../_support/exit-codes.ts'
import { renderTable, type Column } from '../../_support/output/table.ts'

const COLUMNS: readonly Column<ReturnType<typeof hubServerView>>[] = [
  { title: 'id', text: ({ id }) => id },
  { title: 'name', text: ({ name }) => name },
  { title: 'owner', text: ({ owner }) => owner },
  { title: 'status', text: ({ status }) => status },
  { title: 'tunnel', text: ({ has_tunnel: hasTunnel }) => (hasTunnel ? 'yes' : 'no') },
  { title: 'version', text: ({ version }) => version },
  { title: 'last seen', text: ({ last_seen_at: time }) => time ?? 'never' },
]

export default class HubServerList extends BaseCommand {
  static override summary = 'List the servers that are paired with the hub.'
  static override examples = [
    '<%= config.bin %> hub:server:list',
    '<%= config.bin %> hub:server:list --plain | cut -f1',
  ]
  static override flags = { plain: Flags.boolean({ summary: 'Tab-separated, without a header.' }) }
  static override exitCodes = [EXIT.ok, EXIT.usage, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { flags } = await this.parse(HubServerList)
    const servers = await this.withHubStore(async (store) => {
      const { hubServerView, listHubServers } = await import('../../../core/hub/index.ts')
      const now = store.clock.now()
      return (await listHubServers(store)).map((server) => hubServerView(server, now))
    })
    return this.finish({
      result: { servers },
      text:
        servers.length === 0 && !flags.plain
          ? 'No server yet: phlix hub:pair --hub URL on a media server'
          : renderTable(COLUMNS, servers, { plain: flags.plain, output: this.output }),
    })
  }
}
