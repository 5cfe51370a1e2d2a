import { isIPv4, type BlockList } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { parseAddressRanges } from '../../core/platform/config/index.ts'
import { httpErrors } from '../errors.ts'
import { resolveClientAddress } from './client-address.ts'

/** Pages of other origins can send it only after a preflight request, which the server does not allow. */
const PAGE_HEADER = 'x-phlix-web'

const UNKNOWN_ADDRESS =
  'The address of this page is not one that the server knows. The proxy must pass Host on, or server.public_url must be this address.'

export type OwnPageOptions = {
  /** Address of the server for browsers. */
  publicUrl: string | undefined
  /** Option `server.trusted_proxies`. */
  trustedProxies: string
}

/** The address of the page that sends a request, as far as cookies depend on it. */
export type OwnPage = {
  /** Whether the page was loaded with TLS. */
  isSecure: boolean
  /** The port in the browser, which a proxy may have on behalf of the server. */
  port: string
}

type ArrivingRequest = Pick<FastifyRequest, 'headers' | 'socket'>

/**
 * Returns a check that a request comes from the web page of this server and not from a form or a script of another page. Cookies are sent to
 * all ports of a host, so the port counts.
 * @throws AppError `not_own_page`, `unsupported_media_type`
 */
export function createOwnPageCheck({
  publicUrl,
  trustedProxies,
}: OwnPageOptions): (request: ArrivingRequest) => OwnPage {
  const { ranges: trusted } = parseAddressRanges(trustedProxies)
  return ({ headers, socket }) => {
    if (headers[PAGE_HEADER] !== '1') throw httpErrors.not_own_page()
    // A form cannot have this type.
    if (!/^application\/json *(?:;|$)/i.test(headers['content-type'] ?? '')) throw httpErrors.unsupported_media_type()
    const proxy = isTrusted(socket.remoteAddress, trusted) ? headers : {}
    const page = pageOf(headers.origin)
    if (page === undefined || !isOwn(page, { host: headers.host, proxy, publicUrl })) {
      throw httpErrors.not_own_page({ message: UNKNOWN_ADDRESS })
    }
    const isSecure = page.protocol === 'https:'
    return { isSecure, port: page.port || (isSecure ? '443' : '80') }
  }
}

/** `null` is the origin of sandboxed pages and files. */
function pageOf(origin: string | undefined): URL | undefined {
  const page = origin === undefined ? null : URL.parse(origin)
  return page !== null && /^https?:$/.test(page.protocol) && page.origin === origin ? page : undefined
}

type Server = { host: string | undefined; proxy: FastifyRequest['headers']; publicUrl: string | undefined }

/**
 * The browser states whether the page was loaded with TLS, because not every proxy does. A page without TLS is not the one of a server that
 * has TLS: they are different servers on one host.
 */
function isOwn(page: URL, { host, proxy, publicUrl }: Server): boolean {
  if (publicUrl !== undefined && page.origin === new URL(publicUrl).origin) return true
  if (lastOf(proxy['x-forwarded-proto']) === 'https' && page.protocol !== 'https:') return false
  return [host, lastOf(proxy['x-forwarded-host'])].some(
    (name) => name !== undefined && URL.parse(`${page.protocol}//${name}`)?.origin === page.origin,
  )
}

/** The value of the nearest proxy. */
function lastOf(values: string | string[] | undefined): string | undefined {
  return [values].flat().join(',').split(',').at(-1)?.trim() || undefined
}

function isTrusted(peer: string | undefined, trusted: BlockList): boolean {
  const address = resolveClientAddress({ peer, forwardedFor: undefined, trusted })
  return trusted.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}
