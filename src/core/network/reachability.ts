import ipaddr from 'ipaddr.js'

/**
 * Whether the Internet can reach an external address of a router. `double_nat`: it is private, so there is another router. `carrier_nat`:
 * the provider shares its addresses among customers (RFC 6598). `no_address`: the router has none, or an address that cannot be used on the
 * Internet.
 */
export type Reachability = 'public' | 'double_nat' | 'carrier_nat' | 'no_address'

const BEHIND_ROUTER: ReadonlySet<string> = new Set(['private', 'linkLocal', 'loopback'])

export function classifyReachability(externalAddress: string | null): Reachability {
  if (externalAddress === null || !ipaddr.IPv4.isValidFourPartDecimal(externalAddress)) return 'no_address'
  const range = ipaddr.IPv4.parse(externalAddress).range()
  if (range === 'unicast') return 'public'
  if (range === 'carrierGradeNat') return 'carrier_nat'
  return BEHIND_ROUTER.has(range) ? 'double_nat' : 'no_address'
}

/** What the address means for connections from outside, in one or two sentences. */
export function describeReachability(externalAddress: string | null): string {
  const address = externalAddress ?? ''
  switch (classifyReachability(externalAddress)) {
    case 'public':
      return `${address} is an address of the Internet: the server can be reached from outside unless the provider blocks the port.`
    case 'double_nat':
      return `${address} is private: there is another router between the gateway and the Internet (double NAT), which must forward the port as well. Until then the server cannot be reached from outside.`
    case 'carrier_nat':
      return `${address} is shared among customers of the provider (carrier-grade NAT): the server cannot be reached from outside. A public address of the provider, IPv6 or a tunnel is needed.`
    case 'no_address':
      return 'The gateway has no external address: it is not connected to the Internet, or does not say so.'
  }
}
