import type { LookupAddress, LookupOptions } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isAddressAllowed, type OutboundTrust } from './address-guard.ts'
import { hostRefusedError } from './check-url.ts'

/** Resolves all addresses of a name, like `dns.lookup`. */
export type ResolveName = (
  host: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/**
 * A `lookup` for sockets that returns only allowed addresses. The socket connects to the returned address, so that a later change of the
 * DNS record has no effect. Fails with `outbound_refused` when no address is allowed.
 */
export function guardedLookup(trust: OutboundTrust, resolveName: ResolveName): LookupFunction {
  return (host, options, callback) => {
    resolveName(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, [])
      const allowed = addresses.filter(({ address }) => isAddressAllowed(address, trust))
      const [first] = allowed
      if (first === undefined) return callback(hostRefusedError(host), [])
      return options.all === true ? callback(null, allowed) : callback(null, first.address, first.family)
    })
  }
}
