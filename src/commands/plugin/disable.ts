import { pluginView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { pluginArgument } from '../_support/arguments/plugin-argument.ts'

export default class PluginDisable extends BaseCommand {
  static override summary = 'Disable a plugin.'
  static override description = 'A running server stops it within two seconds. Settings and values are kept.'
  static override examples = ['<%= config.bin %> plugin:disable phlix-plugin-hello']
  static override args = { plugin: pluginArgument }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args } = await this.parse(PluginDisable)
    const plugin = await this.withServices(async (services) => {
      const { disablePlugin } = await import('../../core/plugins/index.ts')
      return disablePlugin(services, args.plugin)
    })
    return this.finish({ result: { plugin: pluginView(plugin) }, text: `Disabled ${plugin.name}.` })
  }
}
