import { setImmediate as nextTurn } from 'node:timers/promises'
import { Semaphore } from '../../core/platform/concurrency/index.ts'
import { httpErrors } from '../errors.ts'
import type { App } from '../http/app-types.ts'
import { readEmptyMaps } from '../http/empty-maps.ts'
import { isParsable } from '../http/json-size.ts'

/** A larger body takes some milliseconds from parsing to the first statement of its handler. */
const LARGE_BODY_BYTES = 32 * 1024

/**
 * Parses JSON in strict UTF-8 without a byte order mark. An empty body counts as `{}`: clients send `Content-Type: application/json` with
 * an empty body, or neither. `[]` counts as `{}` in fields whose schema expects an object. The keys `__proto__` and `constructor.prototype`
 * are refused, and so are bodies with too many levels or values. Only one large body is parsed in each turn of the event loop, so that other
 * requests are processed between two of them.
 */
export function installJsonBodies(app: App): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  const largeBodies = new Semaphore({ permits: 1 })
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, given, done) => {
    const bytes = given as Buffer
    if (bytes.length === 0) return done(null, {})
    // The parser reports its result by `done`. Fastify uses a returned promise only for asynchronous parsers.
    const parse = (): void => {
      const text = isParsable(bytes) ? decodeUtf8(bytes) : undefined
      if (text === undefined || text.startsWith('\uFEFF')) done(httpErrors.invalid_json(), undefined)
      else void parseJson(request, text, done)
    }
    if (bytes.length <= LARGE_BODY_BYTES) parse()
    else void largeBodies.run(() => (parse(), nextTurn()))
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
