import * as Flags from '@oclif/core/flags'
import type { PluginUpdate } from '../../core/plugins/index.ts'
import { pluginUpdateView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { replaceControlCharacters, renderTable, type Column } from '../_support/output/table.ts'

const COLUMNS: readonly Column<PluginUpdate>[] = [
  { title: 'name', text: ({ plugin }) => plugin.name },
  { title: 'installed', text: ({ plugin }) => plugin.manifest.version },
  { title: 'latest', text: ({ latestVersion }) => latestVersion ?? '-' },
  { title: 'update', text: ({ offer }) => (offer === undefined ? 'no' : 'yes') },
  { title: 'catalogue', text: ({ plugin }) => plugin.catalogue ?? '-' },
]

export default class PluginUpdates extends BaseCommand {
  static override summary = 'List newer versions of the installed plugins.'
  static override description =
    'Asks the catalogues that the plugins were installed from. `plugin:update --all` installs what it shows. Exit code 3 if a catalogue gives no ' +
    'usable answer about a plugin.'
  static override examples = ['<%= config.bin %> plugin:updates', '<%= config.bin %> plugin:updates --json']
  static override flags = { plain: Flags.boolean({ summary: 'Tab-separated, without a header.' }) }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.partial, EXIT.interrupted, EXIT.terminated, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { flags } = await this.parse(PluginUpdates)
    const updates = await this.withServices(async (services, { signal }) => {
      const { findUpdates } = await import('../../core/plugins/index.ts')
      return findUpdates(services, signal)
    })
    const failed = updates.filter(({ problem }) => problem !== null)
    for (const { plugin, problem } of failed) this.warn(replaceControlCharacters(`${plugin.name}: ${problem}`))
    return this.finish({
      result: { updates: updates.map((update) => pluginUpdateView(update)) },
      text:
        updates.length === 0 && !flags.plain
          ? 'No plugins'
          : renderTable(COLUMNS, updates, { plain: flags.plain, output: this.output }),
      exit: failed.length > 0 ? EXIT.partial : EXIT.ok,
    })
  }
}
