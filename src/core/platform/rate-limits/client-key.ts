import { isIPv6 } from 'node:net'

/**
 * What a caller is counted under: an IPv4 address as it is, of an IPv6 address its first 64 bits, because whoever has one has the
 * whole network (RL-05).
 * @param address without port and zone
 */
export function rateKeyOf(address: string): string {
  if (!isIPv6(address)) return address
  const [before = [], after] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''))
  const zeros = after === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...(after ?? [])]
  return `${groups.slice(0, 4).join(':')}::/64`
}
