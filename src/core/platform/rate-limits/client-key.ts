import { isIPv6 } from 'node:net'
import type { Count } from './count.ts'

/** How many /64 networks' worth of calls a /48 network may make: providers give a household or a small office one. */
export const NETWORK_SHARE = 4

/**
 * What a caller is counted under: an IPv4 address as it is, of an IPv6 address its first 64 bits, because the owner of one address has
 * the whole network (RL-05).
 * @param address without port and zone
 */
export function rateKeyOf(address: string): string {
  return isIPv6(address) ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : address
}

/**
 * What the network of a caller is counted under, with `NETWORK_SHARE` times the limit: the first 48 bits of an IPv6 address, because many
 * have all 65,536 networks below them; undefined for IPv4.
 */
export function networkKeyOf(address: string): string | undefined {
  return isIPv6(address) ? `${groupsOf(address).slice(0, 3).join(':')}::/48` : undefined
}

/**
 * Counts a call of a client, for its address and for its network. What is above the limit of the address does not count for the network:
 * one /64 cannot use up what its neighbours may do.
 * @param caller.max what one address may do in a window
 * @returns the count that is nearer to that limit
 */
export async function countClient(
  { address, max }: { address: string; max: number },
  countKey: (key: string) => Count | Promise<Count>,
): Promise<Count> {
  const own = await countKey(rateKeyOf(address))
  const networkKey = networkKeyOf(address)
  if (networkKey === undefined || own.hits > max) return own
  const network = await countKey(networkKey)
  const hits = Math.ceil(network.hits / NETWORK_SHARE)
  return hits > own.hits ? { hits, millisecondsLeft: network.millisecondsLeft } : own
}

function groupsOf(address: string): string[] {
  const [before = [], after] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''))
  const zeros = after === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array<string>(zeros).fill('0'), ...(after ?? [])]
}
