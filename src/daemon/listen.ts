import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { describeError, systemErrorCode, type AppError } from '../core/platform/errors/index.ts'
import { httpErrors } from './errors.ts'
import type { App } from './http/app-types.ts'

type Place = {
  host: string
  port: number
  /** What says the port, for who reads the error. */
  option: 'server.port' | 'server.websocket_port'
}

/**
 * Listens.
 * @throws AppError `address_in_use`, `address_not_permitted`
 */
export async function listenOn(app: App, { host, port, option }: Place): Promise<void> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    throw listenError(error, `${host}:${port}`, option)
  }
}

/**
 * Makes sure that a port can be listened on, and leaves it free. For the start: what is wrong with a port shall be said before
 * anything is opened or migrated.
 * @throws AppError `address_in_use`, `address_not_permitted`
 */
export async function checkPort({ host, port, option }: Place): Promise<void> {
  const server = createServer()
  try {
    server.listen({ host, port })
    await once(server, 'listening')
  } catch (error) {
    throw listenError(error, `${host}:${port}`, option)
  } finally {
    server.close()
  }
}

/** Where an application listens: the first address, should its host have several. */
export function boundAddress(app: App): AddressInfo {
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('the application does not listen')
  return address
}

function listenError(error: unknown, address: string, option: Place['option']): AppError {
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
