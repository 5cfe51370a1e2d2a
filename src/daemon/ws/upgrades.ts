import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { describeError } from '../../core/platform/errors/index.ts'
import { withoutQuery, type Logger } from '../../core/platform/logging/index.ts'
import { httpErrors } from '../errors.ts'
import { toAppError } from '../hooks/errors.ts'
import type { AccountConnectionLimits } from './account-connection-limits.ts'
import { BEARER_PROTOCOL, type UpgradeAuthenticator, type AuthenticatedClient } from './handshake.ts'
import { refuseUpgrade } from './refuse-upgrade.ts'
import type { UpgradeRequest } from './upgrade-url.ts'

/** Limits of one message: bytes and frames. Compression is off, so that decompression bombs are impossible. */
const PROTOCOL_LIMITS = {
  maxPayload: 16 * 1024,
  maxFragments: 64,
  perMessageDeflate: false,
  /** Time limit for the client's close frame in milliseconds. `ws` supports this option, but its type definitions lack it. */
  closeTimeout: 2000,
}

/** An authenticated client and its socket. */
export type UpgradedClient = { socket: WebSocket; authenticated: AuthenticatedClient; clientAddress: string }

/**
 * Returns the `upgrade` listener that the HTTP port and the WebSocket port share. It authenticates the client, then completes the upgrade
 * or responds with an HTTP error. Its promise never rejects.
 * @param onConnect called in the tick of the upgrade, so that it can add its message listener before the first message
 */
export function createUpgradeHandler(
  { authenticator, limits, log }: { authenticator: UpgradeAuthenticator; limits: AccountConnectionLimits; log: Logger },
  onConnect: (upgraded: UpgradedClient) => void,
): (request: UpgradeRequest, socket: Duplex, head: Buffer) => Promise<void> {
  const upgrader = new WebSocketServer({
    ...PROTOCOL_LIMITS,
    noServer: true,
    clientTracking: false,
    handleProtocols: (offered) => offered.has(BEARER_PROTOCOL) && BEARER_PROTOCOL,
  })
  upgrader.on('wsClientError', (error, socket, request) => {
    refuse(request, socket, httpErrors.bad_request({ message: error.message, cause: error }))
  })

  function refuse(request: UpgradeRequest, socket: Duplex, thrown: unknown): void {
    const error = toAppError(thrown)
    const status = refuseUpgrade(socket, error)
    const client = authenticator.clientOf(request)
    const line = { client, path: withoutQuery(request.url ?? ''), status, code: error.code }
    if (status >= 500) log.error({ ...line, reason: describeError(thrown) }, 'a WebSocket was refused')
    else log.info(line, 'a WebSocket was refused')
  }

  return async (request, socket, head) => {
    const destroySocket = (): void => void socket.destroy()
    socket.on('error', destroySocket)
    // Read now, because a closed socket has no remote address. Node caches the first reading for the later ones.
    const clientAddress = authenticator.clientOf(request)
    try {
      const authenticated = await authenticator.admit(request)
      // In the same tick as the upgrade, so that simultaneous handshakes do not pass together.
      limits.check(authenticated.account.id)
      upgrader.handleUpgrade(request, socket, head, (webSocket) => {
        socket.off('error', destroySocket)
        onConnect({ socket: webSocket, authenticated, clientAddress })
      })
    } catch (error) {
      refuse(request, socket, error)
    }
  }
}
