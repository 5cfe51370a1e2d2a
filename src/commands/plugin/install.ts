import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { pluginView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { confirmPlugin } from '../_support/confirm-plugin.ts'
import { commandErrors } from '../_support/errors.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'

export default class PluginInstall extends BaseCommand {
  static override summary = 'Install a plugin from an archive or a catalogue.'
  static override description =
    'With --catalog SOURCE is the name of a plugin in a trusted catalogue (plugin:catalog). Else it is an archive. The archive is a tar.gz file with plugin.json. One from the network must be pinned: --sha256, or --key with its signature in ' +
    'SOURCE.sig. The plugin is disabled at first; plugin:enable starts it.'
  static override examples = [
    '<%= config.bin %> plugin:install ./phlix-plugin-hello.tgz',
    '<%= config.bin %> plugin:install phlix-plugin-hello --catalog',
    '<%= config.bin %> plugin:install https://example.org/phlix-plugin-hello-1.0.0.tgz --sha256 "$SHA256" --yes',
  ]
  static override args = {
    source: Args.string({ required: true, ignoreStdin: true, description: 'https or file address, or a path' }),
  }
  static override flags = {
    catalog: Flags.boolean({ summary: 'The newest version that a trusted catalogue lists under this name.' }),
    sha256: Flags.string({ helpValue: 'HEX', summary: 'SHA-256 that the archive must have.' }),
    key: Flags.string({ helpValue: 'KEY', summary: 'Ed25519 public key of the author, in the form of minisign.' }),
    yes: Flags.boolean({ summary: 'Grant what the plugin asks for without a question.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, EXIT.tempfail, ...DATABASE_EXITS]
  static override isIdempotent = false

  async run(): Promise<object> {
    const { args, flags } = await this.parse(PluginInstall)
    if (flags.catalog && (flags.sha256 !== undefined || flags.key !== undefined)) {
      throw commandErrors.usage({
        message: '--catalog takes neither --sha256 nor --key: the catalogue pins the archive',
      })
    }
    const outcome = await this.withServices(async (services, { signal }) => {
      const { createInstallationPermits, describePermissions, installFromCatalogue, installPlugin } =
        await import('../../core/plugins/index.ts')
      const installing = { ...services, pluginInstallations: createInstallationPermits() }
      const confirm = (found: Parameters<typeof confirmPlugin>[0]['found']): Promise<boolean> =>
        confirmPlugin({
          found,
          permissions: describePermissions(found.version.manifest),
          isConfirmed: flags.yes,
          mayAsk: this.shared.mayAsk,
          signal,
        })
      const pin = { sha256: flags.sha256, key: flags.key }
      const plugin = flags.catalog
        ? await installFromCatalogue(installing, { name: args.source, confirm }, signal)
        : await installPlugin(installing, { source: args.source, pin, confirm }, signal)
      if (plugin === undefined) return undefined
      return { plugin, permissions: describePermissions(plugin.manifest) }
    })
    if (outcome === undefined) return this.finish({ result: { plugin: null }, text: 'Nothing installed.' })
    const { plugin, permissions } = outcome
    return this.finish({
      result: { plugin: pluginView(plugin), permissions, sha256: plugin.archiveSha256 },
      text: `Installed ${plugin.name} ${plugin.manifest.version}, disabled. SHA-256 ${plugin.archiveSha256}`,
    })
  }
}
