import * as Args from '@oclif/core/args'
import { pluralize } from '../../core/platform/errors/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { replaceControlCharacters } from '../_support/output/table.ts'

export default class PluginAddSource extends BaseCommand {
  static override summary = 'Trust a catalogue of plugins.'
  static override description =
    'Administrators may then install and update its plugins over HTTP too. A catalogue is an index file; each of its archives is pinned by a ' +
    'SHA-256 or a key (docs/plugins.md). A catalogue that was added over HTTP becomes trusted. The index file is read first: if that fails, ' +
    'nothing is added.'
  static override examples = ['<%= config.bin %> plugin:add-source https://plugins.example.org/plugins.json']
  static override args = {
    url: Args.string({ required: true, ignoreStdin: true, description: 'https or file address of the index file' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args } = await this.parse(PluginAddSource)
    const { catalogue, sources } = await this.withServices(async (services, { signal }) => {
      const { trustSource } = await import('../../core/plugins/index.ts')
      return trustSource(services, args.url, signal)
    })
    const plugins = pluralize(catalogue.entries.length, 'plugin')
    return this.finish({
      result: { sources: sources.map(({ url, isTrusted }) => ({ url, trusted: isTrusted })) },
      text: replaceControlCharacters(
        `The catalogue "${catalogue.name}" with ${plugins} is trusted. \`phlix plugin:catalog\` shows them.`,
      ),
    })
  }
}
