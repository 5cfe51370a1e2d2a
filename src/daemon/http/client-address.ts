import { isIP, isIPv4, SocketAddress, type BlockList } from 'node:net'

/** No chain of proxies is this long; what stands further left in the header is not looked at. */
const MAX_CHAIN = 32

/** Where a connection comes from whose socket has already forgotten it. */
const UNKNOWN = 'unknown'

type Hops = {
  /** Address at the other end of the connection; undefined when it is gone. */
  peer: string | undefined
  /** Values of all `X-Forwarded-For` headers, in their order. */
  forwardedFor: readonly string[] | undefined
  /** Proxies that are believed (option `server.trusted_proxies`). */
  trusted: BlockList
}

/**
 * The address of the client: the peer, or behind trusted proxies the right-most hop that is none of them (document 1, Limits; RL-02
 * to RL-04). A hop that is no address ends the way at the proxy that named it.
 *
 * Only `X-Forwarded-For` is read: every common proxy appends to it, while `Forwarded`, `X-Real-IP` and `CF-Connecting-IP` pass through
 * a proxy that does not know them just as the client wrote them.
 * @returns an IP address in its shortest form, without port, brackets or zone, IPv4 never as `::ffff:`
 */
export function clientAddressOf({ peer, forwardedFor = [], trusted }: Hops): string {
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

/** Whether every hop of an `X-Forwarded-For` header is an address. */
export function isReadableChain(forwardedFor: string): boolean {
  return forwardedFor.split(',').every((hop) => normaliseAddress(hop.trim()) !== undefined)
}

/** `1.2.3.4:80`, `[2001:DB8::1]:9`, `fe80::1%eth0`, `::ffff:1.2.3.4` → the bare address; undefined for what is none. */
function normaliseAddress(text: string): string | undefined {
  const [, bracketed, plain] = /^\[([^\]]{2,60})\](?::\d{1,5})?$|^([^:]{7,15}):\d{1,5}$/.exec(text) ?? []
  const candidate = bracketed ?? plain ?? text
  const version = isIP(candidate)
  if (version === 0) return undefined
  const { address } = new SocketAddress({ address: candidate, family: version === 6 ? 'ipv6' : 'ipv4' })
  const unmapped = address.replace(/^::ffff:(?=\d+\.)/, '')
  return isIPv4(unmapped) ? unmapped : address
}
