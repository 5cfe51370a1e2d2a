import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { HubServices } from '../../../core/hub/index.ts'
import type { Relay } from '../../../core/hub-relay/index.ts'
import { withoutQuery } from '../../../core/platform/logging/index.ts'
import { countClient, createProcessCounts, rateLimitedError } from '../../../core/platform/rate-limits/index.ts'
import { RELAY_SUBPROTOCOL, TUNNEL_CLOSE_CODES, WEB_SOCKET_LIMITS } from '../../../core/relay-protocol/index.ts'
import { httpErrors } from '../../errors.ts'
import type { Lifecycle } from '../../http/app-types.ts'
import { createAddressReader } from '../../hooks/client-address.ts'
import { toAppError } from '../../hooks/errors.ts'
import { socketErrors } from '../../ws/errors.ts'
import { refuseUpgrade } from '../../ws/refuse-upgrade.ts'
import { isWebSocket, type UpgradeRequest } from '../../ws/upgrade-url.ts'

const PATH = /^\/relay\/([0-9a-fA-F-]{36})$/

/** Handshakes of one address within a window: several servers may be behind one router. */
const ADDRESS_LIMIT = { max: 120, windowSeconds: 60 }

/** The time in which a home server that speaks another protocol gets the close code. */
const CLOSE_MILLISECONDS = 2000

type Parts = { services: HubServices; relay: Relay; lifecycle: Lifecycle }

/**
 * The handler for handshakes of home servers: `/relay/{serverId}` with the enrolment token as bearer. A client that does not offer
 * `relay.h2.v1` is closed with 4406. It never rejects.
 */
export function createTunnelHandshake({ services, relay, lifecycle }: Parts) {
  const log = services.log.child({ domain: 'relay' })
  const readAddress = createAddressReader(services)
  const counts = createProcessCounts(services, ADDRESS_LIMIT)
  const upgrader = new WebSocketServer({
    ...WEB_SOCKET_LIMITS,
    noServer: true,
    clientTracking: false,
    handleProtocols: (offered) => offered.has(RELAY_SUBPROTOCOL) && RELAY_SUBPROTOCOL,
  })
  upgrader.on('wsClientError', (error, socket) => {
    refuseUpgrade(socket, httpErrors.bad_request({ message: error.message, cause: error }))
  })

  /** @throws AppError `rate_limited`, `stopping`, `upgrade_required`, `not_found` */
  async function serverIdOf(request: UpgradeRequest, address: string): Promise<string> {
    const { max } = ADDRESS_LIMIT
    const { hits, millisecondsLeft } = await countClient({ address, max }, (key) => counts.countHit(key))
    if (hits > max) throw rateLimitedError(millisecondsLeft)
    if (lifecycle.isStopping) throw httpErrors.stopping()
    if (!isWebSocket(request.headers.upgrade)) throw socketErrors.upgrade_required()
    const serverId = PATH.exec(request.url ?? '')?.[1]?.toLowerCase()
    if (serverId === undefined) throw httpErrors.not_found()
    return serverId
  }

  return async (request: UpgradeRequest, socket: Duplex, head: Buffer): Promise<void> => {
    const drop = (): void => void socket.destroy()
    socket.on('error', drop)
    const remoteAddress = readAddress({ raw: request })
    try {
      const serverId = await serverIdOf(request, remoteAddress)
      if (!offers(request, RELAY_SUBPROTOCOL)) {
        upgrader.handleUpgrade(request, socket, head, (webSocket) => {
          webSocket.on('error', () => undefined)
          webSocket.close(TUNNEL_CLOSE_CODES.unknownProtocol, `this hub speaks ${RELAY_SUBPROTOCOL}`)
          setTimeout(() => webSocket.terminate(), CLOSE_MILLISECONDS).unref()
        })
        return
      }
      const server = await services.directory.authenticateServer(request.headers.authorization)
      if (server.serverId.toLowerCase() !== serverId) throw httpErrors.auth_required()
      upgrader.handleUpgrade(request, socket, head, (webSocket) => {
        socket.off('error', drop)
        void relay.accept(webSocket, { ...server, remoteAddress })
      })
    } catch (thrown) {
      const error = toAppError(thrown)
      const status = refuseUpgrade(socket, error)
      const line = { client: remoteAddress, path: withoutQuery(request.url ?? ''), status, code: error.code }
      log.info(line, 'a tunnel was refused')
    }
  }
}

function offers(request: UpgradeRequest, protocol: string): boolean {
  const values = request.headersDistinct['sec-websocket-protocol'] ?? []
  return values.some((value) => value.split(',').some((word) => word.trim() === protocol))
}
