import type { Socket } from 'node:net'
import { httpErrors } from '../errors.ts'
import type { App, Lifecycle } from '../http/app-types.ts'

/**
 * Once the daemon stops, accepted requests finish, new requests on keep-alive connections are refused, and every response closes its
 * connection, so that shutdown does not wait for idle clients.
 */
export function refuseRequestsWhileStopping(app: App, lifecycle: Lifecycle): void {
  const open = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  app.addHook('preClose', async () => {
    lifecycle.isStopping = true
    // Browsers open connections in advance. Node does not count a connection as idle before its first request.
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  })
  app.addHook('onRequest', async (request) => {
    if (lifecycle.isStopping && request.routeOptions.url !== '/readyz') throw httpErrors.stopping()
  })
  app.addHook('onSend', async (_request, reply) => {
    if (lifecycle.isStopping) reply.header('connection', 'close')
  })
}
