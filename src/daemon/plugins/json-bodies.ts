import { httpErrors } from '../errors.ts'
import type { App } from '../http/app-types.ts'
import { readEmptyMaps } from '../http/empty-maps.ts'

/**
 * Parses JSON in strict UTF-8 without a byte order mark. An empty body counts as `{}`: clients send `Content-Type: application/json` with
 * an empty body, or neither. `[]` counts as `{}` in fields whose schema expects an object. The keys `__proto__` and `constructor.prototype`
 * are refused.
 */
export function installJsonBodies(app: App): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    if (bytes.length === 0) return done(null, {})
    const text = decodeUtf8(bytes as Buffer)
    if (text === undefined || text.startsWith('\uFEFF')) return done(httpErrors.invalid_json(), undefined)
    // The parser reports its result by `done`. Fastify uses a returned promise only for asynchronous parsers.
    void parseJson(request, text, done)
    return undefined
  })
  app.addHook('preValidation', async (request) => {
    const schema = request.routeOptions.schema?.body
    if (schema === undefined) return
    request.body = request.body === undefined ? {} : readEmptyMaps(schema, request.body)
  })
}

function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
