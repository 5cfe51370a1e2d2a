import ipaddr from 'ipaddr.js'

/**
 * Who wrote an address. `configured`: the administrator; loopback and private networks are allowed. `public`: somebody else (a
 * provider's reply, an NFO, a user); public addresses only. Link-local and cloud metadata addresses are never allowed.
 */
export type OutboundTrust = 'configured' | 'public'

/** Ranges of ipaddr.js that an administrator may name beside the public ones; carrier-grade NAT is where overlay networks live. */
const HOME_RANGES: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat'])

/** Metadata services of clouds outside the link-local ranges: Azure, Alibaba, AWS and Google over IPv6. */
const METADATA_ADDRESSES: ReadonlySet<string> = new Set([
  '168.63.129.16',
  '100.100.100.200',
  'fd00:ec2::254',
  'fd20:ce::254',
])

const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')
const NAT64_PREFIX = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/**
 * Whether an IP address, as text, may be connected to (SS-01). IPv4 inside IPv6 (mapped, NAT64) is judged as IPv4; everything
 * that is neither public nor of the home ranges (reserved, multicast, tunnels, unspecified) is refused, unreadable text too.
 */
export function isAddressAllowed(address: string, trust: OutboundTrust): boolean {
  if (!ipaddr.isValid(address)) return false
  const judged = withoutWrapping(ipaddr.process(address))
  if (METADATA_ADDRESSES.has(judged.toString())) return false
  const range = judged.range()
  if (range === 'unicast') return judged instanceof ipaddr.IPv4 || judged.match(GLOBAL_IPV6)
  return trust === 'configured' && HOME_RANGES.has(range)
}

/** NAT64 (RFC 6052) carries the IPv4 address in its last 32 bits. */
function withoutWrapping(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (address instanceof ipaddr.IPv4 || !address.match(NAT64_PREFIX)) return address
  return new ipaddr.IPv4(address.toByteArray().slice(12))
}
