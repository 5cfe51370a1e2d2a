/** The slash after `/api/v1/servers/{id}/proxy`. */
const SLASHES_BEFORE_TARGET = 6

/**
 * The part of a request target that is meant for the home server, exactly as it was sent: the router decodes it, and the relay has to see
 * what it forwards.
 * @param url the target of a request that was routed to the proxy
 */
export function parseProxyTarget(url: string): string {
  let index = -1
  for (let count = 0; count < SLASHES_BEFORE_TARGET; count += 1) {
    index = url.indexOf('/', index + 1)
    if (index === -1) return ''
  }
  return url.slice(index)
}
