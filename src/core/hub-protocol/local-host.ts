import ipaddr from 'ipaddr.js'

/** Ranges of addresses that mean different hosts in different networks. Overlay networks use carrier-grade NAT. */
const LOCAL_RANGES: ReadonlySet<string> = new Set([
  'private',
  'loopback',
  'linkLocal',
  'uniqueLocal',
  'carrierGradeNat',
])

/** Names without a dot, and the domains of local networks (RFC 6762, RFC 8375), with or without the dot of the root. */
const LOCAL_NAME = /^[^.]+\.?$|\.(?:local|lan|home|internal|home\.arpa|localhost)\.?$/i

/**
 * Whether a host is one of a local network.
 * @param host a name, or an address, with or without the brackets of IPv6
 */
export function isLocalHost(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '')
  return ipaddr.isValid(address) ? LOCAL_RANGES.has(ipaddr.process(address).range()) : LOCAL_NAME.test(host)
}

/** Whether a host is an IPv6 address. */
export function isIpv6Host(host: string): boolean {
  return ipaddr.IPv6.isValid(host.replace(/^\[|\]$/g, ''))
}
