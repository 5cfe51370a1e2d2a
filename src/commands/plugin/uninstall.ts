import * as Flags from '@oclif/core/flags'
import { pluginView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { pluginArgument } from '../_support/arguments/plugin-argument.ts'

export default class PluginUninstall extends BaseCommand {
  static override summary = 'Remove a plugin with its settings, values and files.'
  static override examples = [
    '<%= config.bin %> plugin:uninstall phlix-plugin-hello --dry-run',
    '<%= config.bin %> plugin:uninstall phlix-plugin-hello',
  ]
  static override args = { plugin: pluginArgument }
  static override flags = { 'dry-run': Flags.boolean({ summary: 'Only show what would be removed.' }) }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, EXIT.tempfail, ...DATABASE_EXITS]
  static override isIdempotent = false

  async run(): Promise<object> {
    const { args, flags } = await this.parse(PluginUninstall)
    const isDryRun = flags['dry-run']
    const plugin = await this.withServices(async (services) => {
      const { getPlugin, uninstallPlugin } = await import('../../core/plugins/index.ts')
      return isDryRun ? getPlugin(services, args.plugin) : uninstallPlugin(services, args.plugin)
    })
    return this.finish({
      result: { dry_run: isDryRun, plugin: pluginView(plugin) },
      text: `${isDryRun ? 'Would remove' : 'Removed'} ${plugin.name} ${plugin.manifest.version}.`,
    })
  }
}
