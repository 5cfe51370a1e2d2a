import type { ClientHttp2Session } from 'node:http2'
import type { Writable } from 'node:stream'
import { untilAborted } from '../../platform/concurrency/index.ts'
import type { HeaderFields, ReplyHead } from '../../relay-protocol/index.ts'
import type { CheckedViewerRequest } from '../admission/check-request.ts'
import { relayErrors } from '../errors.ts'
import type { BandwidthLimiter } from '../limits/bandwidth-limiter.ts'
import { bufferReply } from './buffer-reply.ts'
import { closeStream, isRequestUnprocessed, openReply, type OpenReply } from './open-reply.ts'
import { streamReply } from './stream-reply.ts'

/** Where a request is sent: through a tunnel, or to the process of the hub that holds it. */
export type Route = {
  session: ClientHttp2Session
  /** What the process at the other end needs in addition; empty for a tunnel. */
  fields: HeaderFields
}

export type ExchangeInput = CheckedViewerRequest & {
  /** The token for the home server now. */
  token: () => Promise<string>
  /** The home server does not accept a token, for example because its session was ended there. */
  refuseToken: (token: string) => Promise<void>
  body: Buffer | undefined
  /** The way to the home server at this moment. */
  findRoute: () => Promise<Route | undefined>
  /** Sends the head of the reply to the viewer; the body follows in the result. */
  begin: (head: ReplyHead) => Writable
  /** Aborts when the viewer has left or lost the access. */
  signal: AbortSignal
  stallMilliseconds: number
  bandwidth: BandwidthLimiter | undefined
  onBytes: (count: number) => void
}

/**
 * Sends a request and passes the reply on. Resolves when both sides are closed.
 * @throws AppError `gateway.timeout`, `gateway.bad_reply`, `server.relay_unavailable` before the head was sent; the signal's reason
 */
export async function exchangeRequest(input: ExchangeInput): Promise<void> {
  const { stream, session, head, hasBody } = await open(input)
  if (!hasBody) {
    closeStream(stream)
    return endOutput(input.begin(head))
  }
  const { signal, stallMilliseconds, onBytes } = input
  if (input.allowed.transfer === 'buffered') {
    const whole = await bufferReply({ stream, session }, { stallMilliseconds, signal })
    onBytes(whole.length)
    await waitFor(input.bandwidth?.spend(whole.length) ?? 0, signal)
    const output = input.begin({ ...head, fields: { ...head.fields, ...lengthOf(head.status, whole) } })
    return endOutput(output, whole)
  }
  await streamReply({ ...input, stream, session, output: input.begin(head) })
}

/**
 * A viewer who sees 401 would sign in at the hub again, which changes nothing: the home server has refused the token of the hub. Reads are
 * sent once more with a new one.
 * @throws AppError `gateway.bad_reply` if it refuses that one too
 */
async function open(input: ExchangeInput): Promise<OpenReply> {
  const attempts = input.allowed.isRepeatable ? 2 : 1
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const token = await input.token()
    const reply = await openWith(token, input)
    if (reply.head.status !== 401) return reply
    closeStream(reply.stream)
    await input.refuseToken(token)
  }
  throw relayErrors.reply_refused({ message: 'The server does not accept the token of the hub.' })
}

/** Reads are sent once more when the home server has refused them without reading them, for example because it is about to stop. */
async function openWith(token: string, input: ExchangeInput): Promise<OpenReply> {
  const { request, allowed, body, signal } = input
  const attempt = async (): Promise<OpenReply> => {
    const route = await input.findRoute()
    if (route === undefined)
      throw relayErrors.relay_unavailable({ message: 'The server has no tunnel to the hub now.' })
    const fields = { ...request.fields, authorization: `Bearer ${token}`, ...route.fields }
    const options = { milliseconds: allowed.firstByteMilliseconds, signal }
    return openReply(route.session, { ...request, fields, body }, options)
  }
  try {
    return await attempt()
  } catch (error) {
    if (!allowed.isRepeatable || !isRequestUnprocessed(error)) throw error
    return attempt()
  }
}

/** @throws the signal's reason */
async function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds === 0) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, milliseconds)
  try {
    await untilAborted(promise, signal)
  } finally {
    clearTimeout(timer)
  }
}

/** The viewer may have left. */
function endOutput(output: Writable, body?: Buffer): void {
  output.on('error', () => undefined).end(body)
}

/** The length of a body; 204 and 304 have none (RFC 9110, 8.6). */
function lengthOf(status: number, body: Buffer): HeaderFields {
  return status === 204 || status === 304 ? {} : { 'content-length': String(body.length) }
}
