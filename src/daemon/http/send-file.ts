import type { FileHandle } from 'node:fs/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { parseByteRange } from '../../core/platform/files/index.ts'
import { httpErrors } from '../errors.ts'
import { FileBytes } from './file-bytes.ts'
import { allowClientPause } from './allow-client-pause.ts'
import { isRangeAllowed, meetsPreconditions, isUnchanged, fileValidators } from './file-validators.ts'

export type SentFile = {
  /** Open for reading. This function always closes it. */
  handle: FileHandle
  contentType: string
  cacheControl: string
}

/**
 * Sends an open file with status 200, 206, 304, 412 or 416, for GET and HEAD (RFC 9110, 14). The length is the size of the open file: bytes
 * appended later are not sent, and a file that shrinks meanwhile aborts the connection.
 */
export async function sendFile(request: FastifyRequest, reply: FastifyReply, file: SentFile): Promise<FastifyReply> {
  const { handle, contentType, cacheControl } = file
  try {
    const stat = await handle.stat({ bigint: true })
    const validators = fileValidators(stat)
    const sizeBytes = Number(stat.size)
    reply.headers({
      'accept-ranges': 'bytes',
      'cache-control': cacheControl,
      etag: validators.etag,
      'last-modified': validators.lastModified,
    })
    if (!meetsPreconditions(request.headers, validators)) {
      reply.removeHeader('cache-control')
      throw httpErrors.precondition_failed()
    }
    if (isUnchanged(request.headers, validators)) return await finish(handle, reply.code(304))
    reply.type(contentType)
    // A range is defined for GET only; HEAD describes the whole file (RFC 9110, 14.2).
    const mayBePart = request.method === 'GET' && isRangeAllowed(headerText(request, 'if-range'), validators)
    const range = parseByteRange(mayBePart ? request.headers.range : undefined, sizeBytes)
    if (range.kind === 'unsatisfiable') {
      reply.header('content-range', `bytes */${sizeBytes}`).removeHeader('cache-control')
      throw httpErrors.range_not_satisfiable()
    }
    const { start, end } = range.kind === 'part' ? range : { start: 0, end: sizeBytes - 1 }
    reply.header('content-length', String(end - start + 1))
    if (range.kind === 'part') reply.code(206).header('content-range', `bytes ${start}-${end}/${sizeBytes}`)
    if (request.method === 'HEAD' || sizeBytes === 0) return await finish(handle, reply)
    allowClientPause(reply)
    return reply.send(new FileBytes(handle, { start, end }, reply.server.chunkBuffers))
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Sends the headers only. */
async function finish(handle: FileHandle, reply: FastifyReply): Promise<FastifyReply> {
  await handle.close()
  return reply.send()
}

function headerText(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}
