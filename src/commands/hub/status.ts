import type { TunnelAddress } from '../../core/relay-link/index.ts'
import { isoTimestampOrNull, toIsoTimestamp } from '../../core/platform/time/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { EXIT } from '../_support/exit-codes.ts'

export default class HubStatus extends BaseCommand {
  static override summary = 'Show the pairing of this server, and whether its hub and the address of tunnels answer.'
  static override description =
    'Exit code 4: the server is paired, but the hub or the address of its tunnels does not answer. Without the tunnel the server cannot be ' +
    'reached through the relay. The tunnel is not examined if relay.enabled is off in the file or the environment.'
  static override examples = ['<%= config.bin %> hub:status', '<%= config.bin %> hub:status --json']
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.check, EXIT.config]

  async run(): Promise<object> {
    await this.parse(HubStatus)
    const state = await this.withConfig(async (config, { log }) => {
      const { readEnrolment, readEnrolmentTimes, isHubReachable } = await import('../../core/hub-link/index.ts')
      const enrolment = readEnrolment({ config })
      if (enrolment === undefined) return undefined
      const { createOutbound } = await import('../../core/platform/outbound/index.ts')
      const outbound = createOutbound({ log })
      try {
        const isReachable = await isHubReachable({ outbound }, enrolment)
        const { checkTunnelAddress } = await import('../../core/relay-link/index.ts')
        const tunnel = config.options['relay.enabled']
          ? await checkTunnelAddress({ config, outbound }, enrolment)
          : undefined
        return { enrolment, expiresAt: readEnrolmentTimes(enrolment).expiresAt, isReachable, tunnel }
      } finally {
        await outbound.close()
      }
    })
    if (state === undefined) {
      const nothing = { paired: false, hub_url: null, server_id: null, reachable: null }
      return this.finish({
        result: { ...nothing, tunnel_url: null, tunnel_problem: null, enrolled: null, expires: null },
        text: 'This server is not paired with a hub: phlix hub:pair --hub URL',
      })
    }
    const { enrolment, expiresAt, isReachable, tunnel } = state
    return this.finish({
      result: {
        paired: true,
        hub_url: enrolment.hubBaseUrl,
        server_id: enrolment.serverId,
        reachable: isReachable,
        tunnel_url: tunnel?.url ?? null,
        tunnel_problem: tunnel?.problem ?? null,
        enrolled: toIsoTimestamp(enrolment.enrolledAt),
        expires: isoTimestampOrNull(expiresAt),
      },
      text: [
        `Paired with ${enrolment.hubBaseUrl} as ${enrolment.serverId} since ${toIsoTimestamp(enrolment.enrolledAt)}.`,
        `The enrolment is valid until ${toIsoTimestamp(expiresAt)}; a running server renews it.`,
        `The hub ${isReachable ? 'answers' : 'does not answer'}.`,
        tunnelLine(tunnel),
      ].join('\n'),
      exit: isReachable && (tunnel?.problem ?? null) === null ? EXIT.ok : EXIT.check,
    })
  }
}

function tunnelLine(tunnel: TunnelAddress | undefined): string {
  if (tunnel === undefined) return 'The relay is off (relay.enabled).'
  if (tunnel.problem === null) return `Tunnels are opened to ${tunnel.url}, which answers.`
  return `The relay does not work: tunnels are opened to ${tunnel.url}. ${tunnel.problem} relay.tunnel_url can set another address.`
}
