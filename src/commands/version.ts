import { BaseCommand } from './_support/base-command.ts'
import { EXIT } from './_support/exit-codes.ts'

export default class Version extends BaseCommand {
  static override summary = 'Print the version of the program and of its runtime.'
  static override examples = ['<%= config.bin %> version', '<%= config.bin %> version --json']
  static override exitCodes = [EXIT.ok, EXIT.usage]

  async run(): Promise<object> {
    await this.parse(Version)
    const { name, version } = this.config
    const result = { name, version, node: process.version, platform: `${process.platform}-${process.arch}` }
    // Same text as oclif's `--version`.
    return this.finish({ result, text: this.config.userAgent })
  }
}
