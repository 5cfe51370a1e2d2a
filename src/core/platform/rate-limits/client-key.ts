import { isIPv6 } from 'node:net'
import type { WindowCount } from './window-count.ts'

/**
 * Factor between the limit of a /64 network and that of its /48 network: providers assign a /48 network to a household or a small office.
 */
export const NETWORK_LIMIT_FACTOR = 4

/**
 * The key under which a caller is counted: an IPv4 address, or the first 64 bits of an IPv6 address, because the holder of one address has
 * the whole network.
 * @param address without port and zone
 */
export function rateLimitKey(address: string): string {
  return isIPv6(address) ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : address
}

/**
 * The key of a caller's network, whose limit is higher by `NETWORK_LIMIT_FACTOR`: the first 48 bits of an IPv6 address, because many callers have
 * all of its 65,536 networks. Undefined for IPv4.
 */
export function networkRateLimitKey(address: string): string | undefined {
  return isIPv6(address) ? `${groupsOf(address).slice(0, 3).join(':')}::/48` : undefined
}

/**
 * Counts a call of a client, for its address and for its network. Calls above the limit of the address are not counted for the network, so
 * that one /64 network cannot use up the limit of its neighbours.
 * @param caller.max limit of one address per window
 * @returns the count of the address or of the network, whichever is closer to its limit
 */
export async function countClient(
  { address, max }: { address: string; max: number },
  countKey: (key: string) => WindowCount | Promise<WindowCount>,
): Promise<WindowCount> {
  const own = await countKey(rateLimitKey(address))
  const networkKey = networkRateLimitKey(address)
  if (networkKey === undefined || own.hits > max) return own
  const network = await countKey(networkKey)
  const hits = Math.ceil(network.hits / NETWORK_LIMIT_FACTOR)
  return hits > own.hits ? { hits, millisecondsLeft: network.millisecondsLeft } : own
}

function groupsOf(address: string): string[] {
  const [before = [], after] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''))
  const zeros = after === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array<string>(zeros).fill('0'), ...(after ?? [])]
}
