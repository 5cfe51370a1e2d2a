import { networkInterfaces } from 'node:os'
import type { Config } from './platform/config/index.ts'

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

/** An address that other machines in the network can reach; `localhost` if there is none. */
function networkAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? 'localhost'
}
