import ipaddr from 'ipaddr.js'

/**
 * The origin of an address. `configured`: the administrator; loopback and private networks are allowed. `public`: any other source (a
 * provider's reply, an NFO file, a user); only public addresses are allowed. Link-local and cloud metadata addresses are never allowed.
 */
export type OutboundTrust = 'configured' | 'public'

/**
 * Ranges of ipaddr.js that are allowed for configured addresses in addition to public addresses. Overlay networks use carrier-grade NAT.
 */
const PRIVATE_RANGES: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat'])

/** Metadata services of clouds outside of the link-local ranges: Azure, Alibaba, AWS and Google over IPv6. */
const CLOUD_METADATA_ADDRESSES: ReadonlySet<string> = new Set([
  '168.63.129.16',
  '100.100.100.200',
  'fd00:ec2::254',
  'fd20:ce::254',
])

const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')
const NAT64_PREFIX = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/**
 * Whether connections to an IP address are allowed. IPv4 inside IPv6 (mapped, NAT64) is checked as IPv4. Addresses that are neither public
 * nor private (reserved, multicast, tunnels, unspecified) and invalid texts are refused.
 */
export function isAddressAllowed(address: string, trust: OutboundTrust): boolean {
  if (!ipaddr.isValid(address)) return false
  const unwrapped = unwrapIpv4(ipaddr.process(address))
  if (CLOUD_METADATA_ADDRESSES.has(unwrapped.toString())) return false
  const range = unwrapped.range()
  if (range === 'unicast') return unwrapped instanceof ipaddr.IPv4 || unwrapped.match(GLOBAL_IPV6)
  return trust === 'configured' && PRIVATE_RANGES.has(range)
}

/** NAT64 (RFC 6052) encodes the IPv4 address in the last 32 bits. */
function unwrapIpv4(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (address instanceof ipaddr.IPv4 || !address.match(NAT64_PREFIX)) return address
  return new ipaddr.IPv4(address.toByteArray().slice(12))
}
