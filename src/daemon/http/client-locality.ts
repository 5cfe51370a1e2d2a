import { isIP, isIPv4, type BlockList } from 'node:net'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { CallerLocality } from '../../core/accounts/index.ts'
import { clientAddressOf, isReadableChain } from './client-address.ts'

/** Headers by which a proxy tells for whom it asks; only the first one is read. */
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

/** Names below these are given out in local networks only (RFC 6761, RFC 6762, RFC 8375); they cannot be registered. */
const LOCAL_DOMAINS = /\.(?:localhost|local|lan|home|internal|home\.arpa)$/

type Caller = {
  /** As `clientAddressOf` has found it. */
  clientAddress: string
  /** Address at the other end of the connection; undefined when it is gone. */
  peer: string | undefined
  headers: FastifyRequest['headers']
  /** Proxies that are believed (option `server.trusted_proxies`). */
  trusted: BlockList
  /** Option `server.public_url`. */
  publicUrl: string | undefined
}

/** Ranges of ipaddr.js that are not routed on the internet: RFC 1918, RFC 4193, RFC 3927, RFC 4291 (2.5.6). */
const PRIVATE_RANGES: ReadonlySet<string> = new Set(['private', 'uniqueLocal', 'linkLocal'])

/**
 * Where a caller is. A request that a proxy has forwarded whose word is not taken comes from anywhere: its address is that of the proxy,
 * which is private in most installations. So does one to a name that is not this server's: a page elsewhere can have its own name lead
 * here, and a browser in the network then asks on its behalf (DNS rebinding).
 */
export function localityOf({ clientAddress, peer, headers, trusted, publicUrl }: Caller): CallerLocality {
  if (!isOwnName(headers.host, publicUrl)) return 'remote'
  if (
    isForwardedByUnknown({ peer, headers, trusted }) ||
    isHidden({ clientAddress, headers, trusted }) ||
    !ipaddr.isValid(clientAddress)
  )
    return 'remote'
  const range = ipaddr.process(clientAddress).range()
  if (range === 'loopback') return 'loopback'
  return PRIVATE_RANGES.has(range) ? 'private' : 'remote'
}

/** Whether the address is that of a proxy, because it has forwarded something that is no address. */
function isHidden({ clientAddress, headers, trusted }: Pick<Caller, 'clientAddress' | 'headers' | 'trusted'>): boolean {
  const chain = headers['x-forwarded-for']
  if (chain === undefined || isReadableChain(String(chain))) return false
  return trusted.check(clientAddress, isIPv4(clientAddress) ? 'ipv4' : 'ipv6')
}

function isForwardedByUnknown({ peer, headers, trusted }: Omit<Caller, 'clientAddress' | 'publicUrl'>): boolean {
  const address = clientAddressOf({ peer, forwardedFor: undefined, trusted })
  const isTrusted = trusted.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
  const hasForwardedFor = headers['x-forwarded-for'] !== undefined
  const hasOther = FORWARDING_HEADERS.some((name) => headers[name] !== undefined)
  return isTrusted ? hasOther && !hasForwardedFor : hasForwardedFor || hasOther
}

/** Whether a `Host` header names this server: by address, by a name without a domain, in a local domain, or as the option says. */
function isOwnName(host: string | undefined, publicUrl: string | undefined): boolean {
  if (host === undefined) return true
  const name = URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '')
  if (name === undefined) return false
  if (isIP(name.replace(/^\[|\]$/g, '')) !== 0 || !name.includes('.') || LOCAL_DOMAINS.test(name)) return true
  return publicUrl !== undefined && name === new URL(publicUrl).hostname
}
