import * as Flags from '@oclif/core/flags'
import { dumpConfig, type OptionReport } from '../../core/platform/config/index.ts'
import { ConfigCommand } from '../_support/config-command.ts'
import { EXIT } from '../_support/exit-codes.ts'
import { renderTable, type Column } from '../_support/output/table.ts'

export default class ConfigShow extends ConfigCommand {
  static override summary = 'Print the configuration in force; secrets show as ***.'
  static override description =
    'Reads flags, environment, file, and the settings in the database where there is one; when that cannot be opened, a warning says so.'
  static override examples = ['<%= config.bin %> config:show', '<%= config.bin %> config:show --origin']
  static override flags = {
    origin: Flags.boolean({ summary: 'Say where each value came from.' }),
    plain: Flags.boolean({ summary: 'Tab-separated, without a head.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.config]

  async run(): Promise<object> {
    const { flags } = await this.parse(ConfigShow)
    const config = await this.readEffectiveConfig()
    const options = dumpConfig(config)
    const columns: Column<OptionReport>[] = [
      { title: 'option', text: (row) => row.path },
      { title: 'value', text: (row) => (row.value === null ? '' : String(row.value)) },
    ]
    if (flags.origin) columns.push({ title: 'origin', text: (row) => row.origin })
    return this.finish({
      result: { data_directory: config.dataDirectory, options },
      text: renderTable(columns, options, { plain: flags.plain, output: this.output }),
    })
  }
}
