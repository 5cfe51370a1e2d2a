import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import { pipeline } from 'node:stream'
import type { OwnServerClient, OwnServerRequest } from '../platform/outbound/index.ts'
import {
  checkHubFields,
  findAllowedRequest,
  parseRelayPath,
  checkReplyHead,
  formatRelayPath,
  parseReceivedFields,
} from '../relay-protocol/index.ts'
import { readRequestBody } from './read-request-body.ts'

/**
 * The host name of relayed requests. The name is reserved and cannot exist (RFC 6761, 6.4), so that a relayed request never counts as
 * local, whatever address the hub reports.
 */
const RELAYED_HOST = 'relay.invalid'

/** The IP address of a viewer whose address the hub does not send. */
const UNKNOWN_ADDRESS = '0.0.0.0'

/**
 * Answers one request of the hub with the reply of this server. The method, the path and the headers are checked again: the hub may be
 * another program, or may be broken into. When the hub cancels, the request to the server is cancelled too.
 * @returns resolves when the stream is closed. It never rejects
 */
export async function handleRelayedRequest(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  ownServer: OwnServerClient,
): Promise<void> {
  const leaving = new AbortController()
  const closed = new Promise<void>((resolve) => {
    stream.once('close', () => {
      leaving.abort()
      resolve()
    })
  })
  // Errors are followed by `close`.
  stream.on('error', () => undefined)
  try {
    await answer(stream, headers, { ownServer, signal: leaving.signal })
  } catch {
    if (!stream.headersSent) refuse(stream, 502)
    else if (!stream.closed) stream.close(constants.NGHTTP2_INTERNAL_ERROR)
  }
  await closed
}

type Context = { ownServer: OwnServerClient; signal: AbortSignal }

async function answer(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, context: Context): Promise<void> {
  const request = await readRequest(stream, headers)
  if (typeof request === 'number') return refuse(stream, request)
  const reply = await context.ownServer.send(request, context.signal)
  const head = checkReplyHead(reply.status, reply.fields)
  if (head === undefined) {
    reply.body.destroy()
    return refuse(stream, 502)
  }
  const hasNoBody = request.method === 'HEAD' || head.status === 204 || head.status === 304
  stream.respond({ ':status': head.status, ...head.fields }, { endStream: hasNoBody })
  if (hasNoBody) return void reply.body.resume()
  // A failure on either side destroys the other one; the hub then gets RST_STREAM.
  pipeline(reply.body, stream, () => undefined)
}

/** The request for this server; a status if it must not reach it. */
async function readRequest(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
): Promise<OwnServerRequest | number> {
  const { [':method']: method = '', [':path']: target = '' } = headers
  const path = parseRelayPath(target)
  if (path === undefined || findAllowedRequest(method, path) === undefined) return 403
  const fields = checkHubFields(parseReceivedFields(headers))
  if (fields === undefined) return 400
  const body = await readRequestBody(stream)
  if (body === undefined) return 413
  const isRead = method === 'GET' || method === 'HEAD'
  if (isRead && body.length > 0) return 400
  // A request that may have a body declares its length: the server must not expect another request in it.
  const length = isRead ? {} : { 'content-length': String(body.length) }
  const sent = { 'x-forwarded-for': UNKNOWN_ADDRESS, ...fields, host: RELAYED_HOST, ...length }
  return { method, path: formatRelayPath(path), headers: sent, body: body.length === 0 ? undefined : body }
}

function refuse(stream: ServerHttp2Stream, status: number): void {
  if (stream.destroyed || stream.closed) return
  stream.respond({ ':status': status, 'content-length': '0' }, { endStream: true })
  // The hub need not send the rest.
  if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR)
}
