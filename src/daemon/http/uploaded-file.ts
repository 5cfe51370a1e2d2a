import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { imageErrors } from '../../core/platform/images/index.ts'
import type { App } from './app-types.ts'
import { dropBody } from './drop-body.ts'
import { readFormParts } from './form-parts.ts'
import { createLargeBodyPace } from './large-body-pace.ts'
import { receiveUpload } from './receive-upload.ts'

/**
 * All received uploads share one pace, and all refused uploads share another. The buffers of received bytes are outside the heap. About 64
 * MiB of buffers cause a full garbage collection, which stops the event loop for a tenth of a second on a busy machine.
 */
const BYTES_PER_SECOND = { received: 8 * 1024 * 1024, refused: 4 * 1024 * 1024 }

/**
 * Lets the routes of a scope accept multipart forms as bytes in memory.
 * @param limits.limitBytes maximum size of a form; a larger one fails with `body_too_large`
 * @param limits.atOnce maximum number of concurrent uploads; further uploads fail with `too_many_pictures` before their bytes are read
 */
export function acceptMultipartForms(app: App, { limitBytes, atOnce }: { limitBytes: number; atOnce: number }): void {
  let uploads = 0
  const pace = createLargeBodyPace({ bytesPerSecond: BYTES_PER_SECOND.received })
  const refusedPace = createLargeBodyPace({ bytesPerSecond: BYTES_PER_SECOND.refused })
  app.addHook('onRequest', async (request, reply) => {
    if (request.method !== 'POST' && request.method !== 'PUT') return
    if (uploads >= atOnce) {
      void dropBody(request.raw, refusedPace)
      throw imageErrors.too_many_pictures({ retryAfterSeconds: 2 })
    }
    uploads += 1
    reply.raw.once('close', () => (uploads -= 1))
  })
  app.addContentTypeParser('multipart/form-data', async (request: FastifyRequest, payload: Readable) => {
    try {
      return await receiveUpload(request, payload, { limitBytes, pace })
    } catch (error) {
      void dropBody(payload, refusedPace)
      throw error
    }
  })
}

/**
 * Returns the file in a form field, regardless of its file name.
 * @param form.contentType including the boundary
 * @returns undefined when the body is not a multipart form, or the field holds no file or an empty file
 */
export function readUploadedFile(
  form: { body: unknown; contentType: string | undefined },
  field: string,
): Buffer | undefined {
  const { body, contentType } = form
  if (!Buffer.isBuffer(body) || contentType === undefined) return undefined
  for (const { name, isFile, bytes } of readFormParts(body, contentType))
    if (name === field) return isFile && bytes.length > 0 ? bytes : undefined
  return undefined
}
