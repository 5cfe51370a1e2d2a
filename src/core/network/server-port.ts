import { join } from 'node:path'
import type { Config } from '../platform/config/index.ts'
import { readProcessLock } from '../platform/spawn/index.ts'
import { networkErrors } from './errors.ts'

/** The port of this machine that is forwarded, for processes other than the server; undefined if it is not known. */
export function findForwardedPort({ config }: { config: Config }): number | undefined {
  const { options, dataDirectory } = config
  if (options['network.internal_port'] !== 0) return options['network.internal_port']
  const address = findServerAddress({ config: { dataDirectory } })
  const url = address === undefined ? null : URL.parse(address)
  const running = url?.protocol === 'http:' ? Number(url.port || 80) : 0
  return running || options['server.port'] || undefined
}

/** The address of the running server of a data directory; undefined if it does not run. */
export function findServerAddress({ config }: { config: Pick<Config, 'dataDirectory'> }): string | undefined {
  return readProcessLock(join(config.dataDirectory, 'serve.lock')).holder?.address
}

/** @throws AppError `internal_port_unknown` */
export function requireForwardedPort(services: { config: Config }): number {
  const port = findForwardedPort(services)
  if (port !== undefined) return port
  const message = 'server.port is 0, which selects a free port, and the server is not running.'
  throw networkErrors.internal_port_unknown({ message, hint: 'start the server first, or set server.port' })
}
