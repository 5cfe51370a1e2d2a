import { networkInterfaces } from 'node:os'
import type { Config } from '../platform/config/index.ts'
import { readMappingFile } from '../network/index.ts'
import type { Clock } from '../platform/time/index.ts'

const MAX_CANDIDATES = 16

/**
 * The base URLs at which clients may reach this server without the hub: its public address, the forwarded port of the router, and its
 * addresses in the local network.
 */
export function listServerUrlCandidates(
  { config, clock }: { config: Config; clock: Clock },
  serverPort: number,
): string[] {
  const publicUrl = config.options['server.public_url']
  const mapping = readMappingFile({ config }, clock.now())
  const forwarded =
    mapping === undefined || mapping.externalAddress === null
      ? []
      : [`http://${mapping.externalAddress}:${mapping.externalPort}`]
  const own = publicUrl === undefined ? [] : [new URL(publicUrl).origin]
  return [...new Set([...own, ...forwarded, ...localUrls(serverPort)])].slice(0, MAX_CANDIDATES)
}

/** Link-local IPv6 addresses need a zone, which no URL of a browser has. */
function localUrls(port: number): string[] {
  return Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ internal, family, address }) => !internal && !(family === 'IPv6' && /^fe[89ab]/i.test(address)))
    .map(({ family, address }) => `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`)
}
