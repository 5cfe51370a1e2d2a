import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { readPrintedPage } from '../_support/printed-page.ts'

export default class SetupCode extends BaseCommand {
  static override summary = 'Print the code that permits the first account from another machine.'
  static override description =
    'While there is no account, registration requires this code, except on the server itself. The first account ' +
    'becomes administrator. Open the printed address, or send the code as setup_code. The code is valid until there is an account.'
  static override examples = ['<%= config.bin %> setup:code', '<%= config.bin %> setup:code --quiet']
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, ...DATABASE_EXITS]

  async run(): Promise<object> {
    await this.parse(SetupCode)
    const { code, url } = await this.withServices(async (services) => {
      const { getSetupCode } = await import('../../core/accounts/index.ts')
      const code = await getSetupCode(services)
      const page = await readPrintedPage(services)
      return { code, url: `${page.url}/#setup=${code}` }
    })
    // Not on standard output, which scripts read for the code.
    if (!this.shared.quiet && !this.jsonEnabled()) this.output.message(`Open ${url} to make the administrator`)
    return this.finish({ result: { setup_code: code, url }, text: code, isPrintedWhenQuiet: true })
  }
}
