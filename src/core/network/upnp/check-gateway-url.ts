import { networkErrors } from '../errors.ts'
import type { Gateway } from '../gateway-client.ts'

/**
 * Checks an address that came from the network. Any host of the network can answer a search and name any address, so only http at the
 * router's own IP address is allowed.
 * @throws AppError `gateway_reply_invalid`
 */
export function checkGatewayUrl(text: string, { address }: Gateway, base?: URL): URL {
  const url = URL.parse(text.trim(), base?.href)
  const isOwn = url?.protocol === 'http:' && url.hostname === address && url.username === '' && url.password === ''
  if (url !== null && isOwn) return url
  throw networkErrors.gateway_reply_invalid({ message: `The gateway ${address} names an address of another host.` })
}
