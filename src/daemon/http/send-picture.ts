import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RenderedPicture } from '../../core/platform/images/index.ts'
import { isUnchanged } from './file-validators.ts'

/** Sends a rendered picture with status 200 or 304 (RFC 9110, 13.1), for GET and HEAD. */
export function sendPicture(
  request: FastifyRequest,
  reply: FastifyReply,
  { picture, cacheControl }: { picture: RenderedPicture; cacheControl: string },
): FastifyReply {
  const validators = { etag: `"${picture.etag}"`, lastModified: picture.modifiedAt.toUTCString() }
  reply.headers({ 'cache-control': cacheControl, etag: validators.etag, 'last-modified': validators.lastModified })
  if (isUnchanged(request.headers, validators)) return reply.code(304).send()
  return reply.type(picture.contentType).send(picture.bytes)
}
