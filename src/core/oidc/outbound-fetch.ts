import type { CustomFetch } from 'openid-client'
import type { Outbound } from '../platform/outbound/index.ts'

const TIMEOUT_MILLISECONDS = 10_000
/** Metadata, key sets and tokens have some kilobytes. */
const MAXIMUM_BYTES = 1024 * 1024

/** Statuses whose replies have no body (Fetch Standard, 2.2.3). */
const WITHOUT_BODY: ReadonlySet<number> = new Set([101, 103, 204, 205, 304])

/**
 * `fetch` for the library, by the HTTP client of the product. The provider is configured by the administrator, so it may be in a private network.
 * Redirects are not followed: the library refuses them.
 */
export function outboundFetch(outbound: Pick<Outbound, 'send'>): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const request = {
      url,
      purpose: 'sign-in',
      trust: 'configured',
      method: method as 'GET' | 'POST',
      headers,
      timeoutMilliseconds: TIMEOUT_MILLISECONDS,
      maximumBytes: MAXIMUM_BYTES,
      returnsRedirects: true,
      ...(body === undefined || body === null ? {} : { body: String(body as string | URLSearchParams) }),
    } as const
    const reply = await outbound.send(request, signal)
    // The body is decompressed.
    const { 'content-encoding': _encoding, 'content-length': _length, ...fields } = reply.headers
    const content = WITHOUT_BODY.has(reply.status) ? null : Uint8Array.from(reply.body)
    return new Response(content, { status: reply.status, headers: fields })
  }
}
