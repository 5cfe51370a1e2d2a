import type { OptionValues } from '../../core/platform/config/index.ts'

type Page = {
  /** `Origin` of the handshake. */
  origin: string | undefined
  /** `Host` of the handshake. */
  host: string | undefined
}

/**
 * Whether the page that opens a WebSocket may (WS-02): programs send no `Origin`; a page must be this server's, which is one of the same
 * host, on any port because the two ports of the server are two origins, or that of `server.public_url`. What a page may do is
 * decided by its token all the same, as browsers send none by themselves.
 */
export function isAllowedOrigin(options: Pick<OptionValues, 'server.public_url'>, { origin, host }: Page): boolean {
  if (origin === undefined) return true
  const page = URL.parse(origin)
  if (page === null || !/^https?:$/.test(page.protocol)) return false
  const publicUrl = options['server.public_url']
  if (publicUrl !== undefined && page.origin === new URL(publicUrl).origin) return true
  return page.hostname === URL.parse(`http://${host ?? ''}`)?.hostname
}
