import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'

export default class SetupCode extends BaseCommand {
  static override summary = 'Print the code that permits the first account from another machine.'
  static override description =
    'While there is no account, registration requires this code, except on the server itself. The first account ' +
    'becomes administrator. Open http://SERVER:8096/#setup=CODE, or send it as setup_code. The code is valid until ' +
    'there is an account.'
  static override examples = ['<%= config.bin %> setup:code', '<%= config.bin %> setup:code --quiet']
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, ...DATABASE_EXITS]

  async run(): Promise<object> {
    await this.parse(SetupCode)
    const code = await this.withServices(async (services) => {
      const { getSetupCode } = await import('../../core/accounts/index.ts')
      return getSetupCode(services)
    })
    return this.finish({ result: { setup_code: code }, text: code, isPrintedWhenQuiet: true })
  }
}
