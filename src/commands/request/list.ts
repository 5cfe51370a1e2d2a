import * as Flags from '@oclif/core/flags'
import { toIsoTimestamp } from '../../core/platform/time/index.ts'
import type { MediaRequest } from '../../core/requests/index.ts'
import { requestView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { renderTable, type Column } from '../_support/output/table.ts'
import { describeTitle } from '../_support/output/describe-request.ts'

const COLUMNS: readonly Column<MediaRequest>[] = [
  { title: 'id', text: (request) => request.id },
  { title: 'status', text: (request) => request.status },
  { title: 'type', text: (request) => request.type },
  { title: 'tmdb', text: (request) => String(request.catalogId) },
  { title: 'title', text: describeTitle },
  { title: 'created', text: (request) => toIsoTimestamp(request.createdAt) },
  { title: 'user', text: (request) => request.userId },
]

export default class RequestList extends BaseCommand {
  static override summary = 'List the requests of users.'
  static override description = 'Newest first. Only pending requests, unless --status selects others.'
  static override examples = [
    '<%= config.bin %> request:list',
    '<%= config.bin %> request:list --status all --json',
    '<%= config.bin %> request:list --plain | cut -f1',
  ]
  static override flags = {
    status: Flags.option({
      options: ['pending', 'approved', 'available', 'rejected', 'all'] as const,
      default: 'pending',
      summary: 'Only requests with this status.',
    })(),
    plain: Flags.boolean({ summary: 'Tab-separated, without a header.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { flags } = await this.parse(RequestList)
    const requests = await this.withServices(async (services) => {
      const { listRequests } = await import('../../core/requests/index.ts')
      return listRequests(services, { status: flags.status })
    })
    return this.finish({
      result: { requests: requests.map(requestView) },
      text:
        requests.length === 0 && !flags.plain
          ? 'No such requests'
          : renderTable(COLUMNS, requests, { plain: flags.plain, output: this.output }),
    })
  }
}
