import { constants, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2'
import { checkReplyHead, parseReceivedFields, type ReplyHead } from '../../relay-protocol/index.ts'
import type { RelayedRequest } from '../admission/check-request.ts'
import { relayErrors } from '../errors.ts'

export type OpenReply = ReplyStream & { head: ReplyHead; hasBody: boolean }

/** A body that the home server sends. The stream is paused. */
export type ReplyStream = { stream: ClientHttp2Stream; session: ClientHttp2Session }

/**
 * Sends a request through a tunnel and waits for the head of the reply. After an error the stream is closed, and the home server stops its
 * work.
 * @throws AppError `gateway.timeout`, `gateway.bad_reply`, `server.relay_unavailable`; the signal's reason
 */
export async function openReply(
  session: ClientHttp2Session,
  request: RelayedRequest,
  { milliseconds, signal }: { milliseconds: number; signal: AbortSignal },
): Promise<OpenReply> {
  signal.throwIfAborted()
  const stream = send(session, request)
  const { promise, resolve, reject } = Promise.withResolvers<Omit<OpenReply, keyof ReplyStream>>()
  const timer = setTimeout(() => reject(relayErrors.reply_timeout()), milliseconds)
  const onAbort = (): void => reject(signal.reason as Error)
  signal.addEventListener('abort', onAbort, { once: true })
  stream.once('response', (headers, flags) => {
    // Node discards the body of a stream that nobody reads when it closes, which can be in this tick.
    stream.pause()
    const head = checkReplyHead(Number(headers[':status']), parseReceivedFields(headers))
    if (head === undefined) reject(relayErrors.reply_refused({ message: 'The reply has malformed headers.' }))
    else resolve({ head, hasBody: (flags & constants.NGHTTP2_FLAG_END_STREAM) === 0 })
  })
  stream.once('close', () => reject(unavailable(stream)))
  // Errors are followed by `close`.
  stream.on('error', () => undefined)
  try {
    return { stream, session, ...(await promise) }
  } catch (error) {
    closeStream(stream)
    throw error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

/** Ends a stream at once: the home server gets RST_STREAM with CANCEL, and received bytes are discarded. */
export function closeStream(stream: ClientHttp2Stream): void {
  if (!stream.closed) stream.close(constants.NGHTTP2_CANCEL)
  stream.destroy()
}

/**
 * Whether a stream has ended as the home server intended, and everything was read. Node reports the end of an aborted stream too, also of one
 * whose session has ended without any error, and closes a stream with an empty body without reporting its end.
 */
export function isReplyComplete({ stream, session }: ReplyStream): boolean {
  const isClosedWell = stream.rstCode === constants.NGHTTP2_NO_ERROR && !stream.aborted && !session.destroyed
  return isClosedWell && stream.readableLength === 0
}

/** Whether the home server has not begun with the request, so that it may be sent again (RFC 9113, 8.7). */
export function isRequestUnprocessed(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof RefusedStream
}

class RefusedStream extends Error {}

function send(session: ClientHttp2Session, { method, target, fields, body }: RelayedRequest): ClientHttp2Stream {
  const headers = { ':method': method, ':path': target, ':scheme': 'http', ...fields }
  try {
    if (body === undefined) return session.request(headers, { endStream: true })
    const stream = session.request({ ...headers, 'content-length': String(body.length) }, { endStream: false })
    stream.end(body)
    return stream
  } catch (error) {
    throw relayErrors.relay_unavailable({ message: 'The tunnel has just closed.', cause: error })
  }
}

function unavailable(stream: ClientHttp2Stream): Error {
  const cause =
    stream.rstCode === constants.NGHTTP2_REFUSED_STREAM
      ? new RefusedStream('the home server refused the stream')
      : undefined
  return relayErrors.relay_unavailable({ message: 'The tunnel ended before the reply began.', cause })
}
