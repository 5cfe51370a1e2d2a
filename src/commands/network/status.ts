import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { describeNetwork } from '../_support/output/describe-network.ts'
import { networkStatusView } from '../../core/views/index.ts'

export default class NetworkStatus extends BaseCommand {
  static override summary = 'Show the router, the external address and the forwarded port.'
  static override description =
    'Queries the router with NAT-PMP, then with UPnP; works with and without a running server. If no router answers, the exit code is 69. ' +
    'To check whether the provider blocks the port, test it from another network.'
  static override examples = ['<%= config.bin %> network:status', '<%= config.bin %> network:status --json']
  static override exitCodes = [EXIT.ok, EXIT.usage, ...DATABASE_EXITS]

  async run(): Promise<object> {
    await this.parse(NetworkStatus)
    const { status, expiresAt } = await this.withServices(async (services, { signal }) => {
      const { leaseEndTime, readNetworkStatus } = await import('../../core/network/index.ts')
      const status = await readNetworkStatus(services, signal)
      return { status, expiresAt: status.mapping === null ? null : leaseEndTime(status.mapping) }
    })
    return this.finish({
      result: networkStatusView(status, expiresAt),
      text: describeNetwork(status, expiresAt),
      exit: status.gateway === null ? EXIT.unavailable : EXIT.ok,
    })
  }
}
