import { artworkResource, openArtwork } from '../../../core/artwork/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { IdParameters } from '../../http/schemas.ts'
import { sendPicture } from '../../http/send-picture.ts'
import { ArtworkQuery } from './artwork.schemas.ts'

/** An id changes with its picture; under an old id a newer one may be shown, which must not stay. */
const CURRENT = 'private, max-age=86400'
const REPLACED = 'private, no-cache'

/** The pictures of items, albums and artists (decisions 3.5, Artwork; document 4, 2.4). */
export const artworkRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/:id',
    config: { access: 'signed', signedResource: ({ id = '' }) => artworkResource(id) },
    schema: { params: IdParameters, querystring: ArtworkQuery },
    handler: async (request, reply) => {
      const { isCurrent, ...picture } = await openArtwork(services, {
        id: request.params.id,
        width: widthOf(request.query.size),
      })
      return sendPicture(request, reply, { picture, cacheControl: isCurrent ? CURRENT : REPLACED })
    },
  })
}

function widthOf(size: string | undefined): number | undefined {
  if (size === undefined) return undefined
  return size === 'original' ? Number.POSITIVE_INFINITY : Number(size.replace('w', ''))
}
