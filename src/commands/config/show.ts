import * as Flags from '@oclif/core/flags'
import { dumpConfig, type OptionReport } from '../../core/platform/config/index.ts'
import { ConfigCommand } from '../_support/config-command.ts'
import { EXIT } from '../_support/exit-codes.ts'
import { renderTable, type Column } from '../_support/output/table.ts'

export default class ConfigShow extends ConfigCommand {
  static override summary = 'Print the effective configuration; secrets are shown as ***.'
  static override description =
    'Reads flags, the environment, the file, and the settings in the database. Without a database there are no ' +
    'settings; if the database cannot be opened, a warning is printed.'
  static override examples = ['<%= config.bin %> config:show', '<%= config.bin %> config:show --origin']
  static override flags = {
    origin: Flags.boolean({ summary: 'Show the source of each value.' }),
    plain: Flags.boolean({ summary: 'Tab-separated, without a header.' }),
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
