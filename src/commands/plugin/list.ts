import * as Flags from '@oclif/core/flags'
import type { Plugin } from '../../core/plugins/index.ts'
import { pluginView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { renderTable, type Column } from '../_support/output/table.ts'

const COLUMNS: readonly Column<Plugin>[] = [
  { title: 'name', text: ({ name }) => name },
  { title: 'version', text: ({ manifest }) => manifest.version },
  { title: 'type', text: ({ manifest }) => manifest.type },
  { title: 'enabled', text: ({ isEnabled }) => (isEnabled ? 'yes' : 'no') },
  { title: 'reason', text: ({ disabledReason }) => disabledReason ?? '-' },
]

export default class PluginList extends BaseCommand {
  static override summary = 'List the installed plugins.'
  static override description =
    'A plugin that failed repeatedly is disabled with a reason. `isolation` is how plugins are separated from the server.'
  static override examples = ['<%= config.bin %> plugin:list', '<%= config.bin %> plugin:list --plain | cut -f1']
  static override flags = { plain: Flags.boolean({ summary: 'Tab-separated, without a header.' }) }
  static override exitCodes = [EXIT.ok, EXIT.usage, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { flags } = await this.parse(PluginList)
    const { plugins, isolation } = await this.withServices(async (services) => {
      const { findPluginSandbox, listPlugins } = await import('../../core/plugins/index.ts')
      const sandbox = await findPluginSandbox(services)
      return { plugins: await listPlugins(services), isolation: sandbox.level }
    })
    const text =
      plugins.length === 0 && !flags.plain
        ? 'No plugins'
        : renderTable(COLUMNS, plugins, { plain: flags.plain, output: this.output })
    return this.finish({
      result: { isolation, plugins: plugins.map(pluginView) },
      text: flags.plain ? text : `${text}\nIsolation: ${isolation}`,
    })
  }
}
