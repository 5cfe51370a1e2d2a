import { BaseCommand } from './_support/base-command.ts'
import { EXIT, EXIT_CODES } from './_support/exit-codes.ts'
import { renderTable } from './_support/output/table.ts'

export default class ExitCodes extends BaseCommand {
  static override summary = 'Print the meaning of the exit codes.'
  static override description = EXIT_CODES.map(({ code, name, when }) => `${code}  ${name}: ${when}`).join('\n')
  static override examples = ['<%= config.bin %> exit-codes']
  static override exitCodes = [EXIT.ok, EXIT.usage]

  async run(): Promise<object> {
    await this.parse(ExitCodes)
    const text = renderTable(
      [
        { title: 'code', text: (row) => String(row.code), alignRight: true },
        { title: 'name', text: (row) => row.name },
        { title: 'when', text: (row) => row.when },
        { title: 'cron, systemd', text: (row) => row.reading },
      ],
      EXIT_CODES,
      { plain: false, output: this.output },
    )
    return this.finish({ result: { exit_codes: EXIT_CODES }, text })
  }
}
