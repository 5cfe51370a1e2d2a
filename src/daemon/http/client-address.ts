import { isIP, isIPv4, SocketAddress, type BlockList } from 'node:net'

/** Upper limit of hops. Real proxy chains are shorter; hops further left are ignored. */
const MAX_CHAIN = 32

/** Placeholder for the address of a closed socket. */
const UNKNOWN = 'unknown'

type Hops = {
  /** Remote address of the socket; undefined when the socket is closed. */
  peer: string | undefined
  /** Values of all `X-Forwarded-For` headers, in order. */
  forwardedFor: readonly string[] | undefined
  /** Trusted proxies (option `server.trusted_proxies`). */
  trusted: BlockList
}

/**
 * Finds the IP address of the client: the peer, or behind trusted proxies the right-most hop that is not a trusted proxy. A hop that is not
 * an IP address ends the search at the proxy that reported it.
 * Only `X-Forwarded-For` is read. Every common proxy appends to it. `Forwarded`, `X-Real-IP` and `CF-Connecting-IP` pass unchanged through
 * proxies that do not know them, so clients can forge them.
 * @returns an IP address in its shortest form, without port, brackets or zone; IPv4 never as `::ffff:`
 */
export function resolveClientAddress({ peer, forwardedFor = [], trusted }: Hops): string {
  let address = normaliseAddress(peer ?? '')
  if (address === undefined) return UNKNOWN
  const hops = forwardedFor.join(',').split(',').slice(-MAX_CHAIN)
  for (const hop of hops.toReversed()) {
    if (!trusted.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')) break
    const further = normaliseAddress(hop.trim())
    if (further === undefined) break
    address = further
  }
  return address
}

/** Whether every hop of an `X-Forwarded-For` header is an IP address. */
export function isValidForwardedFor(forwardedFor: string): boolean {
  return forwardedFor.split(',').every((hop) => normaliseAddress(hop.trim()) !== undefined)
}

/** Converts `1.2.3.4:80`, `[2001:DB8::1]:9`, `fe80::1%eth0` or `::ffff:1.2.3.4` to the bare address; undefined for invalid text. */
function normaliseAddress(text: string): string | undefined {
  const [, bracketed, plain] = /^\[([^\]]{2,60})\](?::\d{1,5})?$|^([^:]{7,15}):\d{1,5}$/.exec(text) ?? []
  const candidate = bracketed ?? plain ?? text
  const version = isIP(candidate)
  if (version === 0) return undefined
  const { address } = new SocketAddress({ address: candidate, family: version === 6 ? 'ipv6' : 'ipv4' })
  const unmapped = address.replace(/^::ffff:(?=\d+\.)/, '')
  return isIPv4(unmapped) ? unmapped : address
}
