import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Test } from 'tap'
import { freePort } from './free-port.ts'

export type BreakableDatabase = {
  /** What DB_HOST and its companions must say to pass through here. */
  environment: Record<string, string>
  /** Cuts every connection and refuses new ones, as a server does that is stopped. */
  stop(): Promise<void>
  start(): Promise<void>
}

/** A way to a real PostgreSQL that can be taken away, while other tests go on using the server. */
export async function breakableDatabase(
  t: Test,
  { environment }: { environment: Record<string, string> },
): Promise<BreakableDatabase> {
  const port = await freePort()
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(join(environment['DB_HOST'] ?? '', '.s.PGSQL.5432'))
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.once('close', () => sockets.delete(socket) && other.destroy())
      socket.pipe(other)
    }
  })
  const start = (): Promise<void> => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  await start()
  t.teardown(stop)
  return { environment: { ...environment, DB_HOST: '127.0.0.1', DB_PORT: String(port) }, stop, start }
}
