import {
  constants,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2'
import { checkHubFields, parseReceivedFields } from '../../relay-protocol/index.ts'
import { closeStream, isReplyComplete } from '../exchange/open-reply.ts'
import { NOT_BEGUN, parsePeerTarget, type PeerTarget } from './peer-protocol.ts'

/** A request that another process of the hub has sent. */
export type PeerRequest = { stream: ServerHttp2Stream; headers: IncomingHttpHeaders; flags: number }

export type PassInput = {
  /** The session of a tunnel of this process, if it is still the one that the sender means. */
  findSession: (target: PeerTarget) => ClientHttp2Session | undefined
  /**
   * Takes one of the streams of the user and of the server.
   * @throws AppError `stream.limit`; the signal's reason
   */
  takeSlot: (target: PeerTarget, signal: AbortSignal) => Promise<() => void>
}

/**
 * Passes a request of another process on to a home server, and the reply back. That process has authenticated the viewer and checked the
 * request; it also has the time limits. An end on either side ends the other one, with the same code. It never rejects.
 */
export async function passRequest({ stream, headers, flags }: PeerRequest, input: PassInput): Promise<void> {
  const leaving = new AbortController()
  let release = (): void => undefined
  stream.once('close', () => {
    leaving.abort()
    release()
  })
  // Errors are followed by `close`.
  stream.on('error', () => undefined)
  const target = parsePeerTarget(headers)
  try {
    release = await input.takeSlot(target, leaving.signal)
  } catch {
    return end(stream, NOT_BEGUN)
  }
  if (stream.destroyed || stream.closed) return release()
  const session = input.findSession(target)
  if (session === undefined) return end(stream, NOT_BEGUN)
  const hasBody = (flags & constants.NGHTTP2_FLAG_END_STREAM) === 0
  const upstream = openUpstream(session, headers, hasBody)
  if (upstream === undefined) return end(stream, NOT_BEGUN)
  if (hasBody) stream.pipe(upstream)
  else stream.resume()
  joinReply(stream, upstream, session)
}

function openUpstream(
  session: ClientHttp2Session,
  headers: IncomingHttpHeaders,
  hasBody: boolean,
): ClientHttp2Stream | undefined {
  const { ':method': method, ':path': path, 'content-length': length } = headers
  const fields = checkHubFields(parseReceivedFields(headers))
  if (fields === undefined || method === undefined || path === undefined) return undefined
  const sized = hasBody && length !== undefined ? { 'content-length': length } : {}
  const sent = { ...fields, ...sized, ':method': method, ':path': path, ':scheme': 'http' }
  try {
    return session.request(sent, { endStream: !hasBody })
  } catch {
    // The tunnel has just closed.
    return undefined
  }
}

function joinReply(stream: ServerHttp2Stream, upstream: ClientHttp2Stream, session: ClientHttp2Session): void {
  stream.once('close', () => closeStream(upstream))
  upstream.on('error', () => undefined)
  upstream.once('response', (reply, flags) => {
    const isWhole = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0
    try {
      // The process of the viewer checks the head.
      stream.respond({ ...reply }, { endStream: isWhole })
    } catch {
      return end(stream, constants.NGHTTP2_INTERNAL_ERROR)
    }
    if (!isWhole) upstream.pipe(stream, { end: false })
  })
  upstream.once('end', () => {
    if (stream.headersSent && isReplyComplete({ stream: upstream, session })) stream.end()
  })
  upstream.once('close', () => {
    if (stream.writableEnded) return
    const { rstCode } = upstream
    // The end of an empty body is not reported.
    if (stream.headersSent && isReplyComplete({ stream: upstream, session })) stream.end()
    else end(stream, rstCode === constants.NGHTTP2_NO_ERROR ? constants.NGHTTP2_CANCEL : rstCode)
  })
}

/** `close` ends the body before it resets the stream: a reply without a length would seem complete. */
function end(stream: ServerHttp2Stream, code: number): void {
  if (stream.closed || stream.destroyed) return
  if (stream.headersSent) stream.destroy(new Error('the reply of the home server has broken off'))
  else stream.close(code)
}
