import * as Flags from '@oclif/core/flags'
import { pluginView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { confirmPlugin } from '../_support/confirm-plugin.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { pluginArgument } from '../_support/arguments/plugin-argument.ts'

export default class PluginUpdate extends BaseCommand {
  static override summary = 'Replace a plugin by another version, or return to the previous one.'
  static override description =
    'Settings are kept, and so is the old version. A plugin that asks for more than before is disabled until plugin:enable.'
  static override examples = [
    '<%= config.bin %> plugin:update phlix-plugin-hello --from ./phlix-plugin-hello-1.1.0.tgz',
    '<%= config.bin %> plugin:update phlix-plugin-hello --rollback',
  ]
  static override args = { plugin: pluginArgument }
  static override flags = {
    from: Flags.string({
      helpValue: 'SOURCE',
      summary: 'https or file address, or a path.',
      exactlyOne: ['from', 'rollback'],
    }),
    rollback: Flags.boolean({ summary: 'Return to the version before the last update.' }),
    sha256: Flags.string({ helpValue: 'HEX', summary: 'SHA-256 that the archive must have.' }),
    key: Flags.string({ helpValue: 'KEY', summary: 'Ed25519 public key of the author, in the form of minisign.' }),
    yes: Flags.boolean({ summary: 'Grant what the plugin asks for without a question.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, EXIT.notFound, EXIT.tempfail, ...DATABASE_EXITS]
  static override isIdempotent = false

  async run(): Promise<object> {
    const { args, flags } = await this.parse(PluginUpdate)
    const plugin = await this.withServices(async (services, { signal }) => {
      const { addedPermissions, rollBackPlugin, updatePlugin } = await import('../../core/plugins/index.ts')
      if (flags.from === undefined) return rollBackPlugin(services, args.plugin)
      const update = {
        name: args.plugin,
        source: flags.from,
        pin: { sha256: flags.sha256, key: flags.key },
        confirm: (found: Parameters<typeof confirmPlugin>[0]['found']) =>
          confirmPlugin({
            found,
            permissions: addedPermissions(found.installed?.manifest, found.version.manifest),
            isConfirmed: flags.yes,
            mayAsk: this.shared.mayAsk,
            signal,
          }),
      }
      return updatePlugin(services, update, signal)
    })
    if (plugin === undefined) return this.finish({ result: { plugin: null }, text: 'Nothing changed.' })
    return this.finish({
      result: { plugin: pluginView(plugin) },
      text: `${plugin.name} has version ${plugin.manifest.version}, ${plugin.isEnabled ? 'enabled' : 'disabled'}.`,
    })
  }
}
