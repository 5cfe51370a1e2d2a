import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { outboundErrors } from './errors.ts'

const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

/** The encodings that `readRequestBody` decodes; sent as `accept-encoding`. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br'

/**
 * Reads and decompresses the body of a reply. Aborts the exchange as soon as the output exceeds the limit, so that neither an endless body
 * nor a decompression bomb exhausts the memory.
 * @throws AppError `outbound_too_large`; `outbound_unreachable` for an encoding that was not requested; errors of the streams
 */
export async function readBody(
  body: Readable,
  encoding: string | undefined,
  maximumBytes: number,
): Promise<Uint8Array> {
  // Aborting makes the body emit an error when it no longer has another listener.
  body.on('error', () => undefined)
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of decoded(body, encoding) as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > maximumBytes) throw outboundErrors.outbound_too_large()
      chunks.push(chunk)
    }
  } finally {
    body.destroy()
  }
  return Buffer.concat(chunks)
}

function decoded(body: Readable, encoding: string | undefined): Readable {
  const name = encoding?.trim().toLowerCase() ?? ''
  if (name === '' || name === 'identity') return body
  const createDecoder = DECODERS.get(name)
  if (createDecoder === undefined) {
    throw outboundErrors.outbound_unreachable({
      message: 'The server compressed its reply in a way that was not asked for.',
    })
  }
  const decoder = createDecoder()
  body.once('error', (error) => decoder.destroy(error))
  return body.pipe(decoder)
}
