import type { Writable } from 'node:stream'
import type { HeaderFields, ReplyHead } from '../../relay-protocol/index.ts'
import type { CheckedRequest } from '../admission/check-request.ts'
import { relayErrors } from '../errors.ts'
import type { Bandwidth } from '../limits/bandwidth.ts'
import type { Tunnel } from '../tunnels/tunnel.ts'
import { bufferReply } from './buffer-reply.ts'
import { closeStream, isRefused, openReply, type OpenReply } from './open-reply.ts'
import { streamReply } from './stream-reply.ts'

export type ExchangeInput = CheckedRequest & {
  token: string
  body: Buffer | undefined
  /** The tunnel at this moment. */
  findTunnel: () => Tunnel | undefined
  /** Sends the head of the reply to the viewer; the body follows in the result. */
  begin: (head: ReplyHead) => Writable
  /** Aborts when the viewer has left or lost the access. */
  signal: AbortSignal
  stallMilliseconds: number
  bandwidth: Bandwidth | undefined
  onBytes: (count: number) => void
}

/**
 * Sends a request and passes the reply on. Resolves when both sides are closed.
 * @throws AppError `gateway.timeout`, `gateway.bad_reply`, `server.relay_unavailable` before the head was sent; the signal's reason
 */
export async function exchange(input: ExchangeInput): Promise<void> {
  const { stream, session, head, hasBody } = await open(input)
  if (!hasBody) {
    closeStream(stream)
    return endOutput(input.begin(head))
  }
  const { signal, stallMilliseconds, onBytes } = input
  if (input.allowed.transfer === 'buffered') {
    const whole = await bufferReply({ stream, session }, { stallMilliseconds, signal })
    onBytes(whole.length)
    const output = input.begin({ ...head, fields: { ...head.fields, ...lengthOf(head.status, whole) } })
    return endOutput(output, whole)
  }
  await streamReply({ ...input, stream, session, output: input.begin(head) })
}

/** Reads are sent once more when the home server has refused them without reading them, for example because it is about to stop. */
async function open(input: ExchangeInput): Promise<OpenReply> {
  const { request, allowed, token, body, signal } = input
  const sent = { ...request, fields: { ...request.fields, authorization: `Bearer ${token}` }, body }
  const attempt = (): Promise<OpenReply> => {
    const tunnel = input.findTunnel()
    if (tunnel === undefined)
      throw relayErrors.relay_unavailable({ message: 'The server has no tunnel to the hub now.' })
    return openReply(tunnel.session, sent, { milliseconds: allowed.firstByteMilliseconds, signal })
  }
  try {
    return await attempt()
  } catch (error) {
    if (!allowed.isRepeatable || !isRefused(error)) throw error
    return attempt()
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
