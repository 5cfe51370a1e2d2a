import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { Semaphore } from '../../core/platform/concurrency/index.ts'
import { JsonSizeCheck } from '../../core/platform/json/index.ts'
import { httpErrors } from '../errors.ts'
import type { App } from '../http/app-types.ts'
import { emptyListsToMaps } from '../http/empty-json-maps.ts'
import { createLargeBodyPace } from '../http/large-body-pace.ts'
import { receiveBody } from '../http/receive-body.ts'

/** A larger body takes some milliseconds from parsing to the first statement of its handler. */
const LARGE_BODY_BYTES = 32 * 1024

/**
 * A body of 1 MiB has its account wait for 62 ms before the next one. The values of texts of more than 100 KiB go directly into the old
 * generation of the heap, which only full collections free: at 200 such bodies a second it would be collected all the time.
 */
const PARSED_BYTES_PER_SECOND = 16 * 1024 * 1024

/**
 * Parses JSON in strict UTF-8 without a byte order mark. An empty body counts as `{}`: clients send `Content-Type: application/json` with
 * an empty body, or neither. `[]` counts as `{}` in fields whose schema expects an object. The keys `__proto__` and `constructor.prototype`
 * are refused, and so are bodies with too many levels or values, as soon as they arrive. Only one large body is parsed in each turn of the
 * event loop, so that other requests are processed in between. The large bodies of an account are parsed at a limited pace. Large bodies
 * without an account do not wait: nothing limits their number, and each is in memory until it is parsed.
 */
export function installJsonBodies(app: App): void {
  const parse = createParser(app)
  const largeBodies = new Semaphore({ permits: 1 })
  const pace = createLargeBodyPace({ bytesPerSecond: PARSED_BYTES_PER_SECOND })
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: Readable) => {
    const size = new JsonSizeCheck()
    const bytes = await receiveBody(request, payload, (piece) => size.accepts(piece))
    if (bytes === undefined) throw httpErrors.invalid_json()
    if (bytes.length === 0) return {}
    if (bytes.length > LARGE_BODY_BYTES) {
      if (request.account) await pace.waitFor(request.account.id, bytes.length)
      const release = await largeBodies.acquire()
      void nextTurn().then(release)
    }
    return parse(request, bytes)
  })
  app.addHook('preValidation', async (request) => {
    const schema = request.routeOptions.schema?.body
    if (schema === undefined) return
    request.body = request.body === undefined ? {} : emptyListsToMaps(schema, request.body)
  })
}

type ParseBody = (request: FastifyRequest, bytes: Buffer) => Promise<unknown>

function createParser(app: App): ParseBody {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  return async (request, bytes) => {
    const text = decodeUtf8(bytes)
    if (text === undefined || text.startsWith('\uFEFF')) throw httpErrors.invalid_json()
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    void parseJson(request, text, (error, body) => (error === null ? resolve(body) : reject(error)))
    return promise
  }
}

function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
