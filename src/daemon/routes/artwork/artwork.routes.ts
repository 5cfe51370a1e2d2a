import { artworkResource, renderArtwork } from '../../../core/artwork/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { IdParameters } from '../../http/schemas.ts'
import { sendPicture } from '../../http/send-picture.ts'
import { ArtworkQuery } from './artwork.schemas.ts'

/** The id changes with the picture. A request with an old id may get a newer picture, so the response must expire. */
const CURRENT_CACHE_CONTROL = 'private, max-age=86400'
const REPLACED_CACHE_CONTROL = 'private, no-cache'

/** Pictures of items, albums and artists. */
export const artworkRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/:id',
    config: { access: 'signed', reveals: 'items', signedResource: ({ id = '' }) => artworkResource(id) },
    schema: { params: IdParameters, querystring: ArtworkQuery },
    handler: async (request, reply) => {
      const { isCurrent, ...picture } = await renderArtwork(services, {
        id: request.params.id,
        width: widthOf(request.query.size),
      })
      return sendPicture(request, reply, {
        picture,
        cacheControl: isCurrent ? CURRENT_CACHE_CONTROL : REPLACED_CACHE_CONTROL,
      })
    },
  })
}

function widthOf(size: string | undefined): number | undefined {
  if (size === undefined) return undefined
  return size === 'original' ? Number.POSITIVE_INFINITY : Number(size.replace('w', ''))
}
