import type { SigningServices } from '../../core/services.ts'
import { createInstance } from '../fastify-instance.ts'
import type { App, Lifecycle } from '../http/app-types.ts'
import { createAddressReader, installClientAddress } from '../hooks/client-address.ts'
import { installErrors } from '../hooks/errors.ts'
import { installReplyHeaders } from '../hooks/reply-headers.ts'
import { installRequestLog } from '../hooks/request-log.ts'
import { refuseRequestsWhileStopping } from '../hooks/refuse-while-stopping.ts'
import { socketErrors } from './errors.ts'

/** Builds the application of the WebSocket port. It has no routes and responds to everything except handshakes with 426. */
export async function buildWebSocketApp(services: SigningServices, lifecycle: Lifecycle): Promise<App> {
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
