import { requestView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { requestArgument } from '../_support/arguments/request-argument.ts'
import { describeTitle } from '../_support/output/describe-request.ts'

export default class RequestApprove extends BaseCommand {
  static override summary = 'Approve a request: Radarr or Sonarr downloads the title.'
  static override description =
    'Movies are sent to Radarr, series to Sonarr. A title that they already have or download counts as accepted. If ' +
    'they do not accept the title, the request stays pending and the command can be repeated. Only pending requests ' +
    'can be approved.'
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
