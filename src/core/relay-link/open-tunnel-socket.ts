import type { WebSocket } from 'ws'
import type { Enrolment } from '../hub-link/index.ts'
import { openWebSocket } from '../platform/outbound/index.ts'
import { RELAY_SUBPROTOCOL, WEB_SOCKET_LIMITS } from '../relay-protocol/index.ts'
import { hubTunnelUrl } from './tunnel-url.ts'

const HANDSHAKE_MILLISECONDS = 10_000

/**
 * Connects to the port for tunnels of a hub, with the enrolment token.
 * @param origin the option `relay.tunnel_url`
 * @throws AppError `outbound_refused`, `outbound_unreachable`; the signal's reason
 */
export async function openTunnelSocket(
  enrolment: Enrolment,
  { origin, signal }: { origin: string | undefined; signal: AbortSignal },
): Promise<WebSocket> {
  const { enrolmentJwt } = enrolment
  return openWebSocket(
    {
      url: hubTunnelUrl({ ...enrolment, origin }),
      // The administrator has paired this server with the hub.
      trust: 'configured',
      subprotocol: RELAY_SUBPROTOCOL,
      headers: { authorization: `Bearer ${enrolmentJwt}` },
      timeoutMilliseconds: HANDSHAKE_MILLISECONDS,
      maxMessageBytes: WEB_SOCKET_LIMITS.maxPayload,
    },
    signal,
  )
}
