import type { Readable } from 'node:stream'

/** Bodies are JSON of single requests. */
const MAX_BODY_BYTES = 1024 * 1024

/**
 * Reads the body of a request; empty if it has none.
 * @returns undefined if it is larger than 1 MiB
 * @throws Error when the stream fails
 */
export async function readRequestBody(stream: Readable): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>()
  const onData = (chunk: Buffer): void => {
    length += chunk.length
    if (length <= MAX_BODY_BYTES) return void chunks.push(chunk)
    stream.pause()
    resolve(undefined)
  }
  const onClose = (): void => reject(new Error('the hub has cancelled the request'))
  stream.on('data', onData)
  stream.once('end', () => resolve(Buffer.concat(chunks, length)))
  stream.once('close', onClose)
  try {
    return await promise
  } finally {
    stream.off('data', onData).off('close', onClose)
  }
}
