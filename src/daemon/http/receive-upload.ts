import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { httpErrors } from '../errors.ts'
import type { LargeBodyPace } from './large-body-pace.ts'

/** The bytes of an upload that arrive before it waits. */
const BURST_BYTES = 128 * 1024

/**
 * Receives an upload of some megabytes at a pace that all uploads share. The pieces are copied into one buffer as they arrive: at full
 * speed, their garbage would cause a full collection of the heap several times a second.
 * @param payload the bytes; it is not destroyed, so that the client can read a refusal
 * @param limits.limitBytes the buffer of a client that announces more is not allocated
 * @throws AppError `body_too_large`; `bad_request` when the client stops before the end
 */
export async function receiveUpload(
  request: FastifyRequest,
  payload: Readable,
  { limitBytes, pace }: { limitBytes: number; pace: LargeBodyPace },
): Promise<Buffer> {
  const announcedBytes = Number(request.headers['content-length'] ?? BURST_BYTES)
  if (announcedBytes > limitBytes) throw httpErrors.body_too_large()
  let buffer = Buffer.allocUnsafeSlow(announcedBytes)
  let [receivedBytes, unpacedBytes] = [0, 0]
  try {
    for await (const piece of payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      const end = receivedBytes + piece.length
      if (end > limitBytes) break
      if (end > buffer.length) buffer = enlarge(buffer, Math.min(Math.max(end, buffer.length * 2), limitBytes))
      piece.copy(buffer, receivedBytes)
      receivedBytes = end
      unpacedBytes += piece.length
      if (unpacedBytes < BURST_BYTES) continue
      await pace.waitFor('received', unpacedBytes)
      unpacedBytes = 0
    }
  } catch (cause) {
    throw httpErrors.bad_request({ cause })
  }
  if (!payload.readableEnded) throw httpErrors.body_too_large()
  return buffer.subarray(0, receivedBytes)
}

function enlarge(buffer: Buffer, bytes: number): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafeSlow(bytes)
  buffer.copy(larger)
  return larger
}
