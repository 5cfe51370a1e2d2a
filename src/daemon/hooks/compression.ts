import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { App } from '../http/app-types.ts'
import { compress, compressStream, MIN_COMPRESSED_LENGTH } from '../http/compress.ts'
import { CONTENT_CODINGS, negotiateCoding } from '../http/content-coding.ts'

/** A reply with one of these headers is already coded, or describes its bytes: it is a part, a file, or validated by its bytes. */
const FIXED_BYTES = ['content-encoding', 'content-length', 'content-range', 'accept-ranges', 'etag'] as const

/**
 * Compresses JSON replies above 1 KiB in the coding that the client prefers. Replies of routes with `carriesSecrets` are never compressed:
 * the length of a compressed secret reveals it to a client that can choose a text beside it (BREACH). Replies that are not JSON, such as
 * media, segments and playlists, are sent unchanged.
 */
export function installCompression(app: App): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (request.routeOptions.config.carriesSecrets === true || !isCompressible(reply, payload)) return payload
    const coding = negotiateCoding(request, reply, CONTENT_CODINGS)
    if (coding === undefined) return payload
    if (payload instanceof Readable) {
      reply.header('content-encoding', coding)
      return compressStream(payload, coding)
    }
    const compressed = await compress(payload, coding)
    reply.header('content-encoding', coding)
    return compressed
  })
}

function isCompressible(reply: FastifyReply, payload: unknown): payload is string | Buffer | Readable {
  const isJson = String(reply.getHeader('content-type') ?? '').startsWith('application/json')
  if (!isJson || FIXED_BYTES.some((name) => reply.hasHeader(name))) return false
  if (payload instanceof Readable) return true
  return (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length > MIN_COMPRESSED_LENGTH
}
