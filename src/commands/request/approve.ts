import { requestView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { requestArgument } from '../_support/arguments/request-argument.ts'
import { describeTitle } from '../_support/output/describe-request.ts'

export default class RequestApprove extends BaseCommand {
  static override summary = 'Have Radarr or Sonarr fetch what somebody asked for.'
  static override description =
    'Movies go to Radarr, series to Sonarr; what they have or fetch already counts as accepted. When they do not accept the title the ' +
    'request stays pending, and the command can be repeated. Only pending requests can be decided.'
  static override examples = ['<%= config.bin %> request:approve 0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11']
  static override args = { request: requestArgument }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, EXIT.notFound, EXIT.tempfail, ...DATABASE_EXITS]
  static override isIdempotent = false

  async run(): Promise<object> {
    const { args } = await this.parse(RequestApprove)
    const request = await this.withServices(async (services) => {
      const { approveRequest } = await import('../../core/requests/index.ts')
      return approveRequest(services, { id: args.request })
    })
    return this.finish({ result: { request: requestView(request) }, text: `${describeTitle(request)} is approved.` })
  }
}
