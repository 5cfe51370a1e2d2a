import type { OptionValues } from '../platform/config/index.ts'
import { passkeyErrors } from './errors.ts'

/** The relying party of a passkey (WebAuthn, 4: Relying Party): browsers offer it to no other host. */
export type RelyingParty = {
  /** Host name without port. */
  id: string
  /** Scheme, host and port of the page. */
  origin: string
  name: string
}

const NAME = 'Phlix'

/** `Host` of a request over the loopback interface. */
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i

/**
 * The relying party of a request: the host of `server.public_url`, else the host of the request if it is loopback. Other `Host` headers are
 * not trusted, because a passkey would be bound to a host that the client chose.
 * @throws AppError `relying_party_unknown`
 */
export function relyingPartyFor(
  { config }: { config: { options: Pick<OptionValues, 'server.public_url'> } },
  host: string | undefined,
): RelyingParty {
  const publicUrl = config.options['server.public_url']
  const url = publicUrl === undefined ? loopbackUrl(host ?? '') : new URL(publicUrl)
  if (url === null) throw passkeyErrors.relying_party_unknown()
  return { id: url.hostname, origin: url.origin, name: NAME }
}

function loopbackUrl(host: string): URL | null {
  return LOOPBACK_HOST.test(host) ? URL.parse(`http://${host}`) : null
}
