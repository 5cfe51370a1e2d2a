import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { httpErrors } from '../errors.ts'

/** Decides about a body that arrives in pieces; called with each piece until it refuses one. */
export type AcceptChunk = (bytes: Uint8Array) => boolean

/**
 * Receives the body of a request. The pieces of a body that is refused are received and dropped, so that the client can read the answer and
 * no memory outlives the next collection of the young generation.
 * @param payload the bytes
 * @returns undefined for a refused body
 * @throws AppError `body_too_large`, at the first byte above the limit of the route; `bad_request` when the client stops before the end
 */
export async function receiveBody(
  request: FastifyRequest,
  payload: Readable,
  accept: AcceptChunk,
): Promise<Buffer | undefined> {
  const limitBytes = request.routeOptions.bodyLimit ?? Infinity
  if (Number(request.headers['content-length']) > limitBytes) throw httpErrors.body_too_large()
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>()
  let pieces: Buffer[] | undefined = []
  let receivedBytes = 0
  const receive = (piece: Buffer): void => {
    receivedBytes += piece.length
    if (receivedBytes > limitBytes) {
      payload.off('data', receive)
      reject(httpErrors.body_too_large())
    }
    if (pieces === undefined) return
    if (accept(piece)) pieces.push(piece)
    else pieces = undefined
  }
  payload.on('data', receive)
  payload.once('end', () => resolve(pieces && Buffer.concat(pieces)))
  payload.once('error', (cause) => reject(httpErrors.bad_request({ cause })))
  return promise
}
