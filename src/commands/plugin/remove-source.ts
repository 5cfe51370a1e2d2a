import * as Args from '@oclif/core/args'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'

export default class PluginRemoveSource extends BaseCommand {
  static override summary = 'Remove a catalogue of plugins.'
  static override description = 'Installed plugins stay and keep running; they get no updates from it.'
  static override examples = ['<%= config.bin %> plugin:remove-source https://plugins.example.org/plugins.json']
  static override args = {
    url: Args.string({ required: true, ignoreStdin: true, description: 'Address of the index file' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]
  static override isIdempotent = false

  async run(): Promise<object> {
    const { args } = await this.parse(PluginRemoveSource)
    const sources = await this.withServices(async (services) => {
      const { removeSource } = await import('../../core/plugins/index.ts')
      return removeSource(services, { url: args.url, mayBeTrusted: true })
    })
    return this.finish({
      result: { sources: sources.map(({ url, isTrusted }) => ({ url, trusted: isTrusted })) },
      text: 'Removed.',
    })
  }
}
