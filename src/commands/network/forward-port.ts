import * as Flags from '@oclif/core/flags'
import type { PortMapping } from '../../core/network/index.ts'
import { AppError } from '../../core/platform/errors/index.ts'
import { mappingView } from '../../core/views/index.ts'
import { toIsoTimestamp } from '../../core/platform/time/index.ts'
import { commandErrors } from '../_support/errors.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'

type Change = { mapping: PortMapping; expiresAt: Date | null; problem: string | null; isServerPort: boolean }

export default class NetworkForwardPort extends BaseCommand {
  static override summary = 'Make the router forward a port of the Internet to this server.'
  static override description =
    'Opens the port at once, by NAT-PMP or UPnP, and stores the settings: the server renews the lease while it runs, and removes the ' +
    'mapping when it stops. --remove ends both. The server itself has no TLS; network.internal_port forwards to a reverse proxy instead ' +
    '(docs/port-forwarding.md).'
  static override examples = [
    '<%= config.bin %> network:forward-port',
    '<%= config.bin %> network:forward-port --external 443 --protocol upnp',
    '<%= config.bin %> network:forward-port --remove',
  ]
  static override flags = {
    external: Flags.integer({
      min: 1,
      max: 65_535,
      summary: 'Port of the router; default: network.external_port.',
    }),
    protocol: Flags.option({
      options: ['auto', 'nat-pmp', 'upnp'] as const,
      summary: 'Protocol for the router; default: network.protocol.',
    })(),
    remove: Flags.boolean({ summary: 'Switch port forwarding off and remove the mapping.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, EXIT.interrupted, EXIT.terminated, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { flags } = await this.parse(NetworkForwardPort)
    if (!flags.remove) return this.open({ externalPort: flags.external, protocol: flags.protocol })
    if (flags.external !== undefined || flags.protocol !== undefined) {
      throw commandErrors.usage({ message: '--remove takes neither --external nor --protocol' })
    }
    return this.remove()
  }

  private async open(input: {
    externalPort: number | undefined
    protocol: 'auto' | 'nat-pmp' | 'upnp' | undefined
  }): Promise<object> {
    const { mapping, expiresAt, problem, isServerPort } = await this.withServices<Change>(
      async (services, { signal }) => {
        const { forwardPort, leaseEndTime, reportForwarding } = await import('../../core/network/index.ts')
        const opened = await forwardPort(services, input, signal)
        const report = reportForwarding({ isEnabled: true, mapping: opened })
        const isServer = services.config.options['network.internal_port'] === 0
        return { mapping: opened, expiresAt: leaseEndTime(opened), problem: report.problem, isServerPort: isServer }
      },
    )
    const { externalPort, internalAddress, internalPort } = mapping
    if (problem !== null) this.warn(problem)
    if (isServerPort)
      this.warn('Connections to this port are not encrypted; docs/port-forwarding.md describes a proxy with TLS.')
    const end =
      expiresAt === null ? 'the router knows no end' : `until ${toIsoTimestamp(expiresAt)}; a running server renews it`
    return this.finish({
      result: { enabled: true, mapping: mappingView(mapping, expiresAt) },
      text: `Port ${externalPort} of ${mapping.externalAddress ?? 'the gateway'} is forwarded to ${internalAddress}:${internalPort}, ${end}.`,
    })
  }

  private async remove(): Promise<object> {
    const { removed, expiresAt } = await this.withServices(async (services, { signal }) => {
      const { leaseEndTime, readMappingFile, stopForwarding } = await import('../../core/network/index.ts')
      const before = readMappingFile(services, services.clock.now())
      const end = before === undefined ? null : leaseEndTime(before)
      try {
        return { removed: await stopForwarding(services, signal), expiresAt: end }
      } catch (error) {
        const isUnconfirmed = error instanceof AppError && error.kind === 'unavailable'
        if (before !== undefined && isUnconfirmed) this.warn(describeLeft(before, end))
        throw error
      }
    })
    return this.finish({
      result: { enabled: false, mapping: removed === undefined ? null : mappingView(removed, expiresAt) },
      text:
        removed === undefined
          ? 'Port forwarding is off; there was no mapping.'
          : `Port forwarding is off; the gateway no longer forwards port ${removed.externalPort}.`,
    })
  }
}

/** What remains when the router did not confirm the removal. */
function describeLeft({ externalPort }: PortMapping, expiresAt: Date | null): string {
  const end = expiresAt === null ? 'without an end' : `until ${toIsoTimestamp(expiresAt)}`
  return `The gateway may still forward port ${externalPort} ${end}; repeat the command when it answers.`
}
