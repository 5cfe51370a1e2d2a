import type { HubServices } from '../../../core/hub/index.ts'
import type { Relay } from '../../../core/hub-relay/index.ts'
import type { App, Lifecycle } from '../../http/app-types.ts'
import { createInstance } from '../../fastify-instance.ts'
import { listeningAddress, startListening } from '../../start-listening.ts'
import { createAddressReader, installClientAddress } from '../../hooks/client-address.ts'
import { installErrors } from '../../hooks/errors.ts'
import { installReplyHeaders } from '../../hooks/reply-headers.ts'
import { installRequestLog } from '../../hooks/request-log.ts'
import { refuseRequestsWhileStopping } from '../../hooks/refuse-while-stopping.ts'
import { socketErrors } from '../../ws/errors.ts'
import { createTunnelHandshake } from './tunnel-handshake.ts'

/** The port to which home servers connect. */
export type TunnelListener = {
  port: number
  /** Accepts no more connections. The relay closes the tunnels. */
  close(): Promise<void>
}

/**
 * Listens on `hub.tunnel_port`. Everything but handshakes is answered with 426.
 * @throws AppError `address_in_use`, `address_not_permitted`
 */
export async function startTunnelListener(parts: {
  services: HubServices
  relay: Relay
  lifecycle: Lifecycle
}): Promise<TunnelListener> {
  const { services, lifecycle } = parts
  const listener = await buildListener(services, lifecycle)
  const onUpgrade = createTunnelHandshake(parts)
  listener.server.on('upgrade', (request, socket, head) => void onUpgrade(request, socket, head))
  const { 'hub.host': host, 'hub.tunnel_port': port } = services.config.options
  try {
    await startListening(listener, { host, port, option: 'hub.tunnel_port' })
  } catch (error) {
    await listener.close()
    throw error
  }
  return { port: listeningAddress(listener).port, close: () => listener.close() }
}

async function buildListener(services: HubServices, lifecycle: Lifecycle): Promise<App> {
  const readClientAddress = createAddressReader(services)
  const listener = createInstance(services, readClientAddress)
  installClientAddress(listener, services, readClientAddress)
  installRequestLog(listener)
  installReplyHeaders(listener)
  installErrors(listener)
  refuseRequestsWhileStopping(listener, lifecycle)
  listener.addHook('onRequest', async (_request, reply) => {
    reply.header('upgrade', 'websocket')
    throw socketErrors.upgrade_required()
  })
  await listener.ready()
  return listener
}
