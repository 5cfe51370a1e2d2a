import { parsePageOrigins, type OptionValues } from '../../core/platform/config/index.ts'
import type { App } from '../http/app-types.ts'

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'

/** Request headers that clients send in addition to the CORS-safelisted headers. */
const REQUEST_HEADERS = [
  ['authorization', 'content-type', 'range'],
  ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'if-range'],
  ['x-service-device-type', 'x-phlix-device-type', 'x-phlix-client-capabilities'],
  ['x-device-id', 'x-phlix-device-id', 'x-phlix-device-name'],
]
  .flat()
  .join(', ')

/** Response headers that players read in addition to the CORS-safelisted headers. */
const REPLY_HEADERS = 'accept-ranges, content-length, content-range, etag, retry-after, x-request-id'

/** Browsers repeat the preflight request after one day at the latest. */
const PREFLIGHT_SECONDS = 86_400

/**
 * Lets pages of the configured origins read responses (CORS). Without configured origins no header is added, and OPTIONS is answered with
 * 404 like every unknown route. Credentials are not allowed: clients send a bearer token or a signature. The cookie of a single
 * sign-on is read on navigations only, and the routes of that of the web page refuse other origins.
 */
export function installCrossOrigin(
  app: App,
  { config }: { config: { options: Pick<OptionValues, 'server.cors_origins'> } },
): void {
  const origins = parsePageOrigins(config.options['server.cors_origins'])
  if (origins.size === 0) return
  app.addHook('onSend', async (_request, reply) => {
    const others = reply.getHeader('vary')
    reply.header('vary', others === undefined ? 'Origin' : `${String(others)}, Origin`)
  })
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers
    if (origin === undefined || !origins.has(origin)) return
    reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': REPLY_HEADERS })
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return
    reply.headers({
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': REQUEST_HEADERS,
      'access-control-max-age': String(PREFLIGHT_SECONDS),
    })
    return reply.code(204).send()
  })
}
