import { isIP, isIPv4, type BlockList } from 'node:net'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { CallerLocality } from '../../core/accounts/index.ts'
import { resolveClientAddress, isValidForwardedFor } from './client-address.ts'

/** Headers that reveal a proxy. Only the content of `X-Forwarded-For` is evaluated. */
const FORWARDING_HEADERS = [
  'forwarded',
  'x-real-ip',
  'cf-connecting-ip',
  'true-client-ip',
  'x-client-ip',
  'via',
  'x-forwarded-host',
  'x-forwarded-proto',
] as const

/** Top-level names that exist in local networks only (RFC 6761, RFC 6762, RFC 8375). They cannot be registered. */
const LOCAL_DOMAINS = /\.(?:localhost|local|lan|home|internal|home\.arpa)$/

type Caller = {
  /** The result of `resolveClientAddress`. */
  clientAddress: string
  /** Remote address of the socket; undefined when the socket is closed. */
  peer: string | undefined
  headers: FastifyRequest['headers']
  /** Trusted proxies (option `server.trusted_proxies`). */
  trusted: BlockList
  /** Option `server.public_url`. */
  publicUrl: string | undefined
}

/** Ranges of ipaddr.js that are not routed on the internet: RFC 1918, RFC 4193, RFC 3927, RFC 4291 (2.5.6). */
const PRIVATE_RANGES: ReadonlySet<string> = new Set(['private', 'uniqueLocal', 'linkLocal'])

/**
 * Whether a caller is in the local network. A request that an untrusted proxy forwarded counts as remote, because the only visible address
 * is the (usually private) address of the proxy. A request to a foreign host name counts as remote too: a page on the internet can point
 * its own name at this server, and a browser in the network then sends requests for that page (DNS rebinding).
 */
export function classifyClientLocality({ clientAddress, peer, headers, trusted, publicUrl }: Caller): CallerLocality {
  if (!isOwnName(headers.host, publicUrl)) return 'remote'
  if (!isAddressKnown({ clientAddress, peer, headers, trusted })) return 'remote'
  const range = ipaddr.process(clientAddress).range()
  if (range === 'loopback') return 'loopback'
  return PRIVATE_RANGES.has(range) ? 'private' : 'remote'
}

/**
 * Returns whether the address belongs to the client. Returns false if it may belong to a proxy, if the socket is closed, or if the address
 * is `0.0.0.0`.
 */
export function isAddressKnown({ clientAddress, peer, headers, trusted }: Omit<Caller, 'publicUrl'>): boolean {
  if (!ipaddr.isValid(clientAddress) || ipaddr.process(clientAddress).range() === 'unspecified') return false
  return !isForwardedByUnknown({ peer, headers, trusted }) && !isProxyAddress({ clientAddress, headers, trusted })
}

/** Returns whether the address is the proxy's own, because `X-Forwarded-For` contains no valid IP address. */
function isProxyAddress({
  clientAddress,
  headers,
  trusted,
}: Pick<Caller, 'clientAddress' | 'headers' | 'trusted'>): boolean {
  const chain = headers['x-forwarded-for']
  if (chain === undefined || isValidForwardedFor(String(chain))) return false
  return trusted.check(clientAddress, isIPv4(clientAddress) ? 'ipv4' : 'ipv6')
}

function isForwardedByUnknown({ peer, headers, trusted }: Omit<Caller, 'clientAddress' | 'publicUrl'>): boolean {
  const address = resolveClientAddress({ peer, forwardedFor: undefined, trusted })
  const isTrusted = trusted.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
  const hasForwardedFor = headers['x-forwarded-for'] !== undefined
  const hasOther = FORWARDING_HEADERS.some((name) => headers[name] !== undefined)
  return isTrusted ? hasOther && !hasForwardedFor : hasForwardedFor || hasOther
}

/** Whether a `Host` header names this server: by IP address, by a name without a domain, by a local domain, or by `server.public_url`. */
function isOwnName(host: string | undefined, publicUrl: string | undefined): boolean {
  if (host === undefined) return true
  const name = URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '')
  if (name === undefined) return false
  if (isIP(name.replace(/^\[|\]$/g, '')) !== 0 || !name.includes('.') || LOCAL_DOMAINS.test(name)) return true
  return publicUrl !== undefined && name === new URL(publicUrl).hostname
}
