import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import type { AppliedUpdates } from '../../core/plugins/index.ts'
import { appliedUpdatesView, pluginView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { confirmPlugin } from '../_support/confirm-plugin.ts'
import { commandErrors } from '../_support/errors.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { replaceControlCharacters } from '../_support/output/table.ts'

type Input = {
  name: string
  flags: {
    from: string | undefined
    rollback: boolean
    sha256: string | undefined
    key: string | undefined
    yes: boolean
  }
}

export default class PluginUpdate extends BaseCommand {
  static override summary = 'Replace a plugin by another version, or return to the previous one.'
  static override description =
    'Without --from and --rollback the new version comes from the catalogue of the plugin. Settings are kept, and so is the old version. A ' +
    'plugin that asks for more than before is disabled until plugin:enable. --all updates every plugin whose catalogue has a newer version.'
  static override examples = [
    '<%= config.bin %> plugin:update phlix-plugin-hello',
    '<%= config.bin %> plugin:update --all',
    '<%= config.bin %> plugin:update phlix-plugin-hello --from ./phlix-plugin-hello-1.1.0.tgz',
    '<%= config.bin %> plugin:update phlix-plugin-hello --rollback',
  ]
  static override args = {
    plugin: Args.string({ ignoreStdin: true, description: 'Name of the plugin; not with --all' }),
  }
  static override flags = {
    all: Flags.boolean({ summary: 'All plugins, from their catalogues.' }),
    from: Flags.string({ helpValue: 'SOURCE', summary: 'https or file address, or a path.' }),
    rollback: Flags.boolean({ summary: 'Return to the version before the last update.' }),
    sha256: Flags.string({ helpValue: 'HEX', summary: 'SHA-256 that the archive of --from must have.' }),
    key: Flags.string({
      helpValue: 'KEY',
      summary: 'Ed25519 public key of the author of the archive of --from, in the form of minisign.',
    }),
    yes: Flags.boolean({ summary: 'Grant what the plugin asks for without a question.' }),
  }
  static override exitCodes = [
    EXIT.ok,
    EXIT.failure,
    EXIT.usage,
    EXIT.partial,
    EXIT.notFound,
    EXIT.tempfail,
    ...DATABASE_EXITS,
  ]
  static override isIdempotent = false

  async run(): Promise<object> {
    const { args, flags } = await this.parse(PluginUpdate)
    const { all, from, rollback, sha256, key, yes } = flags
    const chosen = [all, from !== undefined, rollback].filter(Boolean).length
    if (chosen > 1) throw commandErrors.usage({ message: 'give only one of --all, --from and --rollback' })
    if (from === undefined && (sha256 !== undefined || key !== undefined)) {
      throw commandErrors.usage({ message: '--sha256 and --key belong to --from' })
    }
    if (all && args.plugin !== undefined) throw commandErrors.usage({ message: '--all takes no plugin' })
    if (all && yes) throw commandErrors.usage({ message: '--all takes no --yes: what asks for more is disabled' })
    if (all) return this.updateAll()
    if (args.plugin === undefined) throw commandErrors.usage({ message: 'give a plugin, or --all' })
    return this.updateOne({ name: args.plugin, flags: { from, rollback, sha256, key, yes } })
  }

  private async updateOne({ name, flags }: Input): Promise<object> {
    const plugin = await this.withServices(async (services, { signal }) => {
      const core = await import('../../core/plugins/index.ts')
      if (flags.rollback) return core.rollBackPlugin(services, name)
      const installing = { ...services, pluginInstallations: core.createInstallationPermits() }
      const confirm = (found: Parameters<typeof confirmPlugin>[0]['found']): Promise<boolean> =>
        confirmPlugin({
          found,
          permissions: core.addedPermissions(found.installed?.manifest, found.version.manifest),
          isConfirmed: flags.yes,
          mayAsk: this.shared.mayAsk,
          signal,
        })
      if (flags.from === undefined)
        return core.updateFromCatalogue(installing, { name, mayAdopt: true, confirm }, signal)
      const pin = { sha256: flags.sha256, key: flags.key }
      return core.updatePlugin(installing, { name, source: flags.from, pin, confirm }, signal)
    })
    if (plugin === undefined) return this.finish({ result: { plugin: null }, text: 'Nothing changed.' })
    return this.finish({
      result: { plugin: pluginView(plugin) },
      text: `${plugin.name} has version ${plugin.manifest.version}, ${plugin.isEnabled ? 'enabled' : 'disabled'}.`,
    })
  }

  private async updateAll(): Promise<object> {
    const applied = await this.withServices(async (services, { signal }) => {
      const { applyUpdates, createInstallationPermits } = await import('../../core/plugins/index.ts')
      const installing = { ...services, pluginInstallations: createInstallationPermits() }
      return applyUpdates(installing, { isAutomatic: false }, signal)
    })
    for (const { name, problem } of applied.failed) this.warn(replaceControlCharacters(`${name}: ${problem}`))
    return this.finish({
      result: appliedUpdatesView(applied),
      text: describe(applied),
      exit: applied.failed.length > 0 ? EXIT.partial : EXIT.ok,
    })
  }
}

function describe({ updated }: AppliedUpdates): string {
  if (updated.length === 0) return 'Nothing changed.'
  return updated
    .map(({ name, from, to, isEnabled }) => `${name} ${from} -> ${to}${isEnabled ? '' : ', disabled'}`)
    .join('\n')
}
