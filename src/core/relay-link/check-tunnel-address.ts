import type { Enrolment } from '../hub-link/index.ts'
import type { Config } from '../platform/config/index.ts'
import { AppError } from '../platform/errors/index.ts'
import type { Outbound } from '../platform/outbound/index.ts'
import { hubTunnelUrl } from './tunnel-url.ts'

const TIMEOUT_MILLISECONDS = 10_000

/** A hub responds with 426 to everything but the handshake of a tunnel (RFC 9110, 15.5.22). */
const UPGRADE_REQUIRED = 426

/** The address to which a tunnel is opened, and why it cannot be one of a hub; null if it can. */
export type TunnelAddress = { url: string; problem: string | null }

/** Asks the address of the tunnels of a hub, without opening a tunnel: the one of the running server stays. */
export async function checkTunnelAddress(
  { config, outbound }: { config: Config; outbound: Outbound },
  enrolment: Enrolment,
): Promise<TunnelAddress> {
  const url = hubTunnelUrl({ ...enrolment, origin: config.options['relay.tunnel_url'] })
  try {
    const { status } = await outbound.send({
      purpose: 'hub',
      url: url.replace(/^ws/, 'http'),
      // The administrator has paired this server with the hub.
      trust: 'configured',
      timeoutMilliseconds: TIMEOUT_MILLISECONDS,
      maximumBytes: 65_536,
    })
    const problem = `It answers with status ${status}, not as the port of a hub for tunnels does.`
    return { url, problem: status === UPGRADE_REQUIRED ? null : problem }
  } catch (error) {
    if (error instanceof AppError) return { url, problem: error.text ?? error.title }
    throw error
  }
}
