import type { Plugin } from '../../core/plugins/index.ts'
import { pluginDetailView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { replaceControlCharacters } from '../_support/output/table.ts'
import { pluginArgument } from '../_support/arguments/plugin-argument.ts'

export default class PluginInfo extends BaseCommand {
  static override summary = 'Show a plugin, its permissions and its settings.'
  static override description = 'Secrets are shown as `***`.'
  static override examples = ['<%= config.bin %> plugin:info phlix-plugin-hello']
  static override args = { plugin: pluginArgument }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args } = await this.parse(PluginInfo)
    const { plugin, settings, permissions } = await this.withServices(async (services) => {
      const { describePermissions, getPlugin, redactedSettings } = await import('../../core/plugins/index.ts')
      const plugin = await getPlugin(services, args.plugin)
      return {
        plugin,
        settings: redactedSettings(plugin.manifest.settings, plugin.settings),
        permissions: describePermissions(plugin.manifest),
      }
    })
    return this.finish({
      result: { plugin: pluginDetailView(plugin, settings) },
      text: describe(plugin, permissions, settings),
    })
  }
}

function describe(
  { name, manifest, isEnabled, disabledReason, source, archiveSha256, previous }: Plugin,
  permissions: readonly string[],
  settings: Readonly<Record<string, unknown>>,
): string {
  const state = isEnabled ? 'enabled' : `disabled${disabledReason === null ? '' : `: ${disabledReason}`}`
  return [
    `${name} ${manifest.version}, ${manifest.type}, ${state}`,
    `source: ${source}`,
    `sha256: ${archiveSha256}`,
    `events: ${manifest.events.join(', ') || '-'}`,
    `may: ${permissions.join('; ') || '-'}`,
    ...(previous === null ? [] : [`previous version: ${previous.manifest.version}`]),
    ...Object.entries(settings).map(([key, value]) => `${key} = ${JSON.stringify(value)}`),
  ]
    .map((line) => replaceControlCharacters(line))
    .join('\n')
}
