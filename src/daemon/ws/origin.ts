import type { OptionValues } from '../../core/platform/config/index.ts'

type Page = {
  /** `Origin` of the handshake. */
  origin: string | undefined
  /** `Host` of the handshake. */
  host: string | undefined
}

/**
 * Whether the origin of a handshake is allowed. Native clients send no `Origin`. A page must come from the host of this server, on any port
 * because its two ports are two origins, or from `server.public_url`. The token still decides about permissions, because browsers do not
 * send it by themselves.
 */
export function isAllowedOrigin(options: Pick<OptionValues, 'server.public_url'>, { origin, host }: Page): boolean {
  if (origin === undefined) return true
  const page = URL.parse(origin)
  if (page === null || !/^https?:$/.test(page.protocol)) return false
  const publicUrl = options['server.public_url']
  if (publicUrl !== undefined && page.origin === new URL(publicUrl).origin) return true
  return page.hostname === URL.parse(`http://${host ?? ''}`)?.hostname
}
