import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { describeError, systemErrorCode, type AppError } from '../core/platform/errors/index.ts'
import { httpErrors } from './errors.ts'
import type { App } from './http/app-types.ts'

type ListenOptions = {
  host: string
  port: number
  /** The option that sets the port, for the error message. */
  option: 'server.port' | 'server.websocket_port' | 'metrics.port' | 'hub.port' | 'hub.tunnel_port' | 'hub.peer_port'
}

/**
 * Starts to listen.
 * @throws AppError `address_in_use`, `address_not_permitted`
 */
export async function startListening(app: App, { host, port, option }: ListenOptions): Promise<void> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    throw listenError(error, `${host}:${port}`, option)
  }
}

/**
 * Starts to listen with a server that is no application.
 * @throws AppError `address_in_use`, `address_not_permitted`
 */
export async function startListeningServer(server: Server, { host, port, option }: ListenOptions): Promise<void> {
  try {
    server.listen({ host, port })
    await once(server, 'listening')
  } catch (error) {
    throw listenError(error, `${host}:${port}`, option)
  }
}

/**
 * Checks that the port can be bound, and releases it again. The start calls this first, so that a port error is reported before anything is
 * opened or migrated.
 * @throws AppError `address_in_use`, `address_not_permitted`
 */
export async function checkPort({ host, port, option }: ListenOptions): Promise<void> {
  const server = createServer()
  try {
    await startListeningServer(server, { host, port, option })
  } finally {
    server.close()
  }
}

/** The address that an application listens on; the first one if the host name has several. */
export function listeningAddress(app: App): AddressInfo {
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('the application does not listen')
  return address
}

/** The URL of a host and a port; an IPv6 address is in brackets (RFC 3986, 3.2.2). */
export function httpUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function listenError(error: unknown, address: string, option: ListenOptions['option']): AppError {
  const cause = { cause: error }
  const code = systemErrorCode(error)
  if (code === 'EADDRINUSE') {
    const hint = `stop the other program, or choose another ${option}`
    return httpErrors.address_in_use({ ...cause, message: `${address} is in use`, hint })
  }
  if (code === 'EACCES') {
    const hint = `choose a ${option} above 1023`
    return httpErrors.address_not_permitted({ ...cause, message: `this account may not listen on ${address}`, hint })
  }
  const hint = 'set server.host to 0.0.0.0 or to an address of this machine'
  const message = `cannot listen on ${address}: ${describeError(error)}`
  return httpErrors.address_not_permitted({ ...cause, message, hint })
}
