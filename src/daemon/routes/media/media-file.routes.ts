import { basename } from 'node:path'
import { contentTypeOfFile } from '../../../core/platform/files/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { attachmentHeader } from '../../http/attachment-header.ts'
import { IdParameters } from '../../http/schemas.ts'
import { requireBandwidthForItem } from '../../http/limit-item-bandwidth.ts'
import { sendFile } from '../../http/send-file.ts'
import { StreamQuery } from './media.schemas.ts'
import { streamResource } from './media.view.ts'

/** Browsers may cache downloaded ranges during playback. The signature expires before files usually change. */
const CACHE_CONTROL = 'private, max-age=3600'

/** The media file of an item. */
export const mediaFileRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/:id/stream',
    config: {
      access: 'signed',
      reveals: 'items',
      playback: 'item',
      saves: ({ download }) => [download].flat().includes('1'),
      signedResource: ({ id = '' }) => streamResource(id),
    },
    schema: { params: IdParameters, querystring: StreamQuery },
    handler: async (request, reply) => {
      await requireBandwidthForItem(services, request, request.params.id)
      const { handle, path } = await services.openMediaFile(request.params.id)
      if (request.query.download === '1') reply.header('content-disposition', attachmentHeader(basename(path)))
      return sendFile(request, reply, { handle, contentType: contentTypeOfFile(path), cacheControl: CACHE_CONTROL })
    },
  })
}
