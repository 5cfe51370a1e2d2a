import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { WebSocket } from 'ws'
import { createOwnServerClient } from '../../../src/core/platform/outbound/index.ts'
import { openHubTunnel, type HubTunnel } from '../../../src/core/relay-link/open-hub-tunnel.ts'
import { KEEP_ALIVE, RELAY_SUBPROTOCOL, WEB_SOCKET_LIMITS } from '../../../src/core/relay-protocol/index.ts'
import { SERVER } from './fake-directory.ts'
import { listen, portOf } from './hub-side.ts'

export type OpenedLink = { link: HubTunnel; socket: WebSocket }

/** A home server, which connects to hubs as often as it is told. */
export type HomeSide = {
  /** Its HTTP server. */
  origin: Server
  /** @param hubPort of a hub on the loopback interface */
  connect(hubPort: number): Promise<OpenedLink>
  close(): void
}

export async function openHomeSide(answer: RequestListener): Promise<HomeSide> {
  const origin = await listen(createServer({ keepAlive: true }, answer))
  const ownServer = createOwnServerClient({ host: '127.0.0.1', port: portOf(origin) })
  const sockets: WebSocket[] = []
  return {
    origin,
    async connect(hubPort) {
      const socket = new WebSocket(`ws://127.0.0.1:${hubPort}/relay/${SERVER}`, RELAY_SUBPROTOCOL, WEB_SOCKET_LIMITS)
      sockets.push(socket)
      socket.once('open', () => socket.pause())
      await once(socket, 'open')
      return { link: openHubTunnel({ socket, ownServer, times: KEEP_ALIVE }), socket }
    },
    close() {
      for (const socket of sockets) socket.terminate()
      ownServer.close()
      origin.closeAllConnections()
      origin.close()
    },
  }
}
