import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Test } from 'tap'
import { freePort } from './free-port.ts'

export type BreakableDatabase = {
  /** Values of DB_HOST and related variables that connect through this proxy. */
  environment: Record<string, string>
  /** Closes every connection and refuses new ones, as a stopped server does. */
  stop(): Promise<void>
  start(): Promise<void>
}

/** A proxy to a real PostgreSQL server that can be interrupted, while other tests use the server directly. */
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
