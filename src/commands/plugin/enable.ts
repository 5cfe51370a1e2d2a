import { pluginView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { pluginArgument } from '../_support/arguments/plugin-argument.ts'

export default class PluginEnable extends BaseCommand {
  static override summary = 'Enable a plugin.'
  static override description =
    'Starts it once in its sandbox; if that fails, it stays disabled. A running server starts it within two seconds.'
  static override examples = ['<%= config.bin %> plugin:enable phlix-plugin-hello']
  static override args = { plugin: pluginArgument }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args } = await this.parse(PluginEnable)
    const plugin = await this.withServices(async (services) => {
      const { enablePlugin, testPlugin } = await import('../../core/plugins/index.ts')
      return enablePlugin(services, args.plugin, (found) => testPlugin(services, found))
    })
    return this.finish({ result: { plugin: pluginView(plugin) }, text: `Enabled ${plugin.name}.` })
  }
}
