import type { Socket } from 'node:net'
import { createGarbageCollector } from '../../core/platform/threads/index.ts'
import type { App } from '../http/app-types.ts'

/** Eight of the largest JSON bodies. */
const BYTES_PER_COLLECTION = 8 * 1024 * 1024

/**
 * Collects the young generation after each 8 MiB that clients have sent. Received bytes are buffers outside of the heap, of which V8
 * tolerates a large number: 1,000 bodies of 1 MiB that are refused early occupied 190 MB. Bodies that no handler reads count too.
 * @param collect replaced in tests
 */
export function installBufferCollection(
  app: App,
  collect: () => void = createGarbageCollector().collectYoungGeneration,
): void {
  const countedBytes = new WeakMap<Socket, number>()
  let bytes = 0
  const count = (socket: Socket): void => {
    const before = countedBytes.get(socket)
    // Requests of tests can have no connection.
    if (before === undefined) return
    bytes += socket.bytesRead - before
    countedBytes.set(socket, socket.bytesRead)
    if (bytes < BYTES_PER_COLLECTION) return
    bytes = 0
    collect()
  }
  app.server.on('connection', (socket: Socket) => {
    countedBytes.set(socket, 0)
    socket.once('close', () => count(socket))
  })
  app.addHook('onResponse', async ({ raw }) => count(raw.socket))
}
