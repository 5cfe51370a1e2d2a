import type { Workers } from '../core/wiring.ts'
import type { Services } from '../core/services.ts'
import type { App, Lifecycle } from './http/app-types.ts'
import type { SocketServer } from './ws/server.ts'

/** How long replies that are under way may go on: JSON is done long before, films are not. */
const DRAIN_MILLISECONDS = 10_000

export type Running = {
  app: App
  sockets: Pick<SocketServer, 'close'>
  services: Services
  workers: Workers
  lifecycle: Lifecycle
}

/**
 * Stops a daemon, in this order (decisions 3.2, Stop): not ready any more; no new jobs and connections; WebSockets are closed with
 * 1001; requests under way finish, streams for 10 s at most; running jobs go back to the queue; then encoders, queue, pool and engine
 * lease.
 */
export async function stopDaemon(running: Running, drainMilliseconds = DRAIN_MILLISECONDS): Promise<void> {
  const { app, sockets, services, workers, lifecycle } = running
  lifecycle.isStopping = true
  await Promise.all([workers.stop(), sockets.close(), closeApp(app, drainMilliseconds)])
  await services.close()
}

async function closeApp(app: App, drainMilliseconds: number): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), drainMilliseconds)
  try {
    await app.close()
  } finally {
    clearTimeout(timer)
  }
}
