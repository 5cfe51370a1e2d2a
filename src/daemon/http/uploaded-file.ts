import { imageErrors } from '../../core/platform/images/index.ts'
import type { App } from './app-types.ts'
import { dropBody } from './drop-body.ts'
import { readFormParts } from './form-parts.ts'
import { createLargeBodyPace } from './large-body-pace.ts'

/** At full speed, twenty refused uploads would occupy the event loop for a tenth of a second at a time. */
const DROPPED_BYTES_PER_SECOND = 64 * 1024 * 1024

/**
 * Lets the routes of a scope accept multipart forms as bytes in memory.
 * @param limits.atOnce maximum number of concurrent uploads; further uploads are refused before their bytes are read. * @throws AppError `too_many_pictures` to the client
 */
export function acceptForms(app: App, { limitBytes, atOnce }: { limitBytes: number; atOnce: number }): void {
  let uploads = 0
  const refusedPace = createLargeBodyPace({ bytesPerSecond: DROPPED_BYTES_PER_SECOND })
  app.addHook('onRequest', async (request, reply) => {
    if (request.method !== 'POST' && request.method !== 'PUT') return
    if (uploads >= atOnce) {
      void dropBody(request.raw, refusedPace)
      throw imageErrors.too_many_pictures({ retryAfterSeconds: 2 })
    }
    uploads += 1
    reply.raw.once('close', () => (uploads -= 1))
  })
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: limitBytes },
    (_request, bytes, done) => done(null, bytes),
  )
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
