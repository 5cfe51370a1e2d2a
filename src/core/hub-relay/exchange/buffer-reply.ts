import { relayErrors } from '../errors.ts'
import { closeStream, isReplyComplete, type ReplyStream } from './open-reply.ts'

/** JSON of lists is much smaller. */
const MAX_BODY_BYTES = 8 * 1024 * 1024

/**
 * Reads the whole body of a paused stream.
 * @throws AppError `gateway.bad_reply` if it is too large, `gateway.timeout` if nothing arrives for the given time, `server.relay_unavailable`
 * if the tunnel ends; the signal's reason
 */
export async function bufferReply(
  reply: ReplyStream,
  { stallMilliseconds, signal }: { stallMilliseconds: number; signal: AbortSignal },
): Promise<Buffer> {
  const { stream } = reply
  const chunks: Buffer[] = []
  let length = 0
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const stall = setTimeout(() => reject(relayErrors.reply_timeout()), stallMilliseconds)
  const onAbort = (): void => reject(signal.reason as Error)
  signal.addEventListener('abort', onAbort, { once: true })
  stream.on('data', (chunk: Buffer) => {
    stall.refresh()
    length += chunk.length
    if (length > MAX_BODY_BYTES) reject(relayErrors.reply_refused({ message: 'The reply is larger than 8 MiB.' }))
    else chunks.push(chunk)
  })
  const onEnd = (): void => {
    if (isReplyComplete(reply)) resolve()
    else reject(relayErrors.relay_unavailable({ message: 'The tunnel ended during the reply.' }))
  }
  stream.once('end', onEnd).once('close', onEnd)
  try {
    if (signal.aborted) onAbort()
    if (stream.destroyed) onEnd()
    stream.resume()
    await promise
    return Buffer.concat(chunks, length)
  } finally {
    clearTimeout(stall)
    signal.removeEventListener('abort', onAbort)
    closeStream(stream)
  }
}
