import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { BaseCommand } from '../_support/base-command.ts'
import { EXIT } from '../_support/exit-codes.ts'

export default class PluginNew extends BaseCommand {
  static override summary = 'Write a new plugin that runs as it is.'
  static override description =
    'Creates a folder with plugin.json and index.mjs. docs/plugins.md describes the next steps.'
  static override examples = ['<%= config.bin %> plugin:new hello']
  static override args = {
    name: Args.string({ required: true, ignoreStdin: true, description: 'lower-case words with hyphens' }),
  }
  static override flags = { to: Flags.string({ default: '.', helpValue: 'DIR', summary: 'Parent folder.' }) }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.io]
  static override isIdempotent = false

  async run(): Promise<object> {
    const { args, flags } = await this.parse(PluginNew)
    const { writeTemplate } = await import('../../core/plugins/index.ts')
    const folder = await writeTemplate({ name: args.name, parent: flags.to })
    const steps = [
      `Wrote ${folder}.`,
      `tar -czf plugin.tgz -C ${folder} .`,
      `${this.config.bin} plugin:install plugin.tgz --yes`,
    ]
    return this.finish({ result: { folder }, text: steps.join('\n') })
  }
}
