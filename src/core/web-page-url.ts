import { join } from 'node:path'
import { networkInterfaces } from 'node:os'
import type { Config } from './platform/config/index.ts'
import { readProcessLock } from './platform/spawn/index.ts'

/**
 * The address of the web page for people: `server.public_url`, else an address of this machine in the network. Without a slash at its end.
 * @param bound the address that the server listens on; `::` and `0.0.0.0` mean all addresses of the machine
 */
export function webPageUrl(
  { config }: { config: Pick<Config, 'options'> },
  { address, port }: { address: string; port: number },
): string {
  const publicUrl = config.options['server.public_url']
  if (publicUrl !== undefined) return publicUrl.replace(/\/$/, '')
  const host = ['0.0.0.0', '::'].includes(address) ? networkAddress() : address
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/**
 * The address of the web page for links that commands print: as above, with the address and the port on which the server of the data directory
 * listens. If none runs, the configured ones.
 */
export function printedPageUrl({ config }: { config: Pick<Config, 'options' | 'dataDirectory'> }): string {
  return webPageUrl({ config }, findBoundAddress(config))
}

function findBoundAddress({ options, dataDirectory }: Pick<Config, 'options' | 'dataDirectory'>): {
  address: string
  port: number
} {
  const { holder } = readProcessLock(join(dataDirectory, 'serve.lock'))
  // A restore and an upgrade hold the same lock, without an address.
  const served = URL.parse(holder?.address ?? '')
  if (served === null || served.hostname === '') {
    return { address: options['server.host'], port: options['server.port'] }
  }
  // A URL leaves the port of its protocol out.
  return { address: served.hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(served.port || '80') }
}

/** An address that other machines in the network can reach; `localhost` if there is none. */
function networkAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? 'localhost'
}
