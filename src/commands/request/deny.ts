import * as Flags from '@oclif/core/flags'
import { requestView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { requestArgument } from '../_support/arguments/request-argument.ts'
import { describeTitle } from '../_support/output/describe-request.ts'

export default class RequestDeny extends BaseCommand {
  static override summary = 'Deny a request.'
  static override description = 'The user sees the reason in the list of requests. Only pending requests can be denied.'
  static override examples = [
    '<%= config.bin %> request:deny 0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11 --reason "It is in the Classics library."',
  ]
  static override args = { request: requestArgument }
  static override flags = {
    reason: Flags.string({ helpValue: 'TEXT', summary: 'Reason; at most 1,000 characters.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, EXIT.notFound, EXIT.tempfail, ...DATABASE_EXITS]
  static override isIdempotent = false

  async run(): Promise<object> {
    const { args, flags } = await this.parse(RequestDeny)
    const request = await this.withServices(async (services) => {
      const { denyRequest } = await import('../../core/requests/index.ts')
      return denyRequest(services, { id: args.request, reason: flags.reason })
    })
    return this.finish({ result: { request: requestView(request) }, text: `${describeTitle(request)} is denied.` })
  }
}
