import { renderThumbnail, openPhoto } from '../../../core/photos/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { IdParameters } from '../../http/schemas.ts'
import { sendFile } from '../../http/send-file.ts'
import { sendPicture } from '../../http/send-picture.ts'
import { ThumbnailQuery } from './photos.schemas.ts'
import { photoUrlPath } from './photos.view.ts'

/**
 * Fixed by the API. A signature is part of the URL, so a shared cache cannot leak the response; a response to a token is only for requests
 * with that token.
 */
const VARY = 'Authorization'
const THUMBNAIL_CACHE = 'public, max-age=86400'
const FULL_CACHE = 'public, max-age=31536000'

/** Disables all active content in the file: scripts, forms and requests. */
const SANDBOX_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** Thumbnails and original files of photos. */
export const photoFileRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/photos/:id/thumbnail',
    config: { access: 'signed', reveals: 'items', signedResource: ({ id = '' }) => photoUrlPath(id, 'thumbnail') },
    schema: { params: IdParameters, querystring: ThumbnailQuery },
    handler: async (request, reply) => {
      const { w: width, h: height, fit } = request.query
      const picture = await renderThumbnail(services, { id: request.params.id, width, height, fit })
      reply.header('vary', VARY)
      return sendPicture(request, reply, { picture, cacheControl: THUMBNAIL_CACHE })
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/photos/:id/full',
    config: { access: 'signed', reveals: 'items', signedResource: ({ id = '' }) => photoUrlPath(id, 'full') },
    schema: { params: IdParameters },
    handler: async (request, reply) => {
      const { handle, contentType } = await openPhoto(services, request.params.id)
      reply.headers({ 'content-security-policy': SANDBOX_POLICY, vary: VARY })
      if (contentType === null) reply.header('content-disposition', 'attachment')
      const file = { handle, contentType: contentType ?? 'application/octet-stream', cacheControl: FULL_CACHE }
      return sendFile(request, reply, file)
    },
  })
}
