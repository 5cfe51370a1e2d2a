import { lookup } from 'node:dns'
import { isIP } from 'node:net'
import { withTimeLimit } from '../concurrency/index.ts'
import { isAddressAllowed, type OutboundTrust } from './address-guard.ts'
import { checkUrl, hostRefusedError } from './check-url.ts'
import type { ResolveName } from './guarded-lookup.ts'

const NAME_TIMEOUT_MILLISECONDS = 3000

/** Always the loopback interface, regardless of DNS (RFC 6761, 6.3). */
const LOCALHOST = /(?:^|\.)localhost\.?$/

/**
 * Validates an address that is stored for later use, with the checks of `send` and with its current DNS result, of which every address must
 * be allowed. A name that does not resolve within 3 s is accepted: its server may be set up later, and `send` checks again.
 * @throws AppError `outbound_refused`
 */
export async function checkUrlAndDns(
  text: string,
  trust: OutboundTrust,
  resolveName: ResolveName = lookup,
): Promise<URL> {
  const url = checkUrl(text, trust)
  if (LOCALHOST.test(url.hostname) && !isAddressAllowed('127.0.0.1', trust)) throw hostRefusedError(url.hostname)
  if (isIP(url.hostname.replace(/^\[(.*)\]$/, '$1')) !== 0) return url
  const addresses = await resolveSoon(url.hostname, resolveName)
  if (!addresses.every((address) => isAddressAllowed(address, trust))) throw hostRefusedError(url.hostname)
  return url
}

function resolveSoon(host: string, resolveName: ResolveName): Promise<string[]> {
  const resolved = new Promise<string[]>((resolve) => {
    resolveName(host, { all: true }, (error, found) =>
      resolve(error === null ? found.map(({ address }) => address) : []),
    )
  })
  return withTimeLimit(resolved, { milliseconds: NAME_TIMEOUT_MILLISECONDS, onTimeout: () => [] })
}
