import { getItem } from '../../../core/catalogue/index.ts'
import {
  cancelDownload,
  downloadResource,
  findDownload,
  openDownload,
  requestDownload,
} from '../../../core/downloads/index.ts'
import { contentTypeOfFile, fileErrors } from '../../../core/platform/files/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { attachmentHeader } from '../../http/attachment-header.ts'
import { requireBandwidthForFile } from '../../http/limit-file-bandwidth.ts'
import { IdParameters, MessageReply } from '../../http/schemas.ts'
import { sendFile } from '../../http/send-file.ts'
import { signedInAccount } from '../../http/signed-in-account.ts'
import { streamResource } from '../media/media.view.ts'
import { AnyDownload, ConvertedDownload, DownloadFileParameters, QualityQuery } from './downloads.schemas.ts'
import { downloadView, originalView } from './downloads.view.ts'

const CACHE_CONTROL = 'private, no-cache'

/** `/api/v1/media/{id}/download`: the original file, or one that is made in a quality. */
export const downloadRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/:id/download',
    config: { access: 'user', reveals: 'items', saves: true, isStatusPoll: true },
    schema: {
      params: IdParameters,
      querystring: QualityQuery,
      response: { 200: AnyDownload },
    },
    handler: async (request) => {
      const { params, query } = request
      const quality = query.quality ?? query.rung
      if (quality !== undefined) {
        return downloadView(await findDownload(services, { itemId: params.id, quality }), services.signer)
      }
      const { id, path } = await getItem(services, params.id)
      if (path === null) throw fileErrors.file_not_found()
      return { url: originalView(services.signer.signUrl(streamResource(id))) }
    },
  })

  app.route({
    method: 'POST',
    url: '/:id/download',
    config: { access: 'user', reveals: 'items', playback: 'nothing', saves: true, invalidStatus: 422 },
    schema: { params: IdParameters, querystring: QualityQuery, response: { 202: ConvertedDownload } },
    handler: async (request, reply) => {
      const { params, query, maxKbps } = request
      const quality = query.quality ?? query.rung ?? ''
      const wanted = { itemId: params.id, quality, accountId: signedInAccount(request).id, maxKbps }
      return reply.code(202).send(downloadView(await requestDownload(services, wanted), services.signer))
    },
  })

  app.route({
    method: 'DELETE',
    url: '/:id/download',
    config: { access: 'user', reveals: 'items' },
    schema: { params: IdParameters, querystring: QualityQuery, response: { 200: MessageReply } },
    handler: async (request) => {
      const { params, query } = request
      const quality = query.quality ?? query.rung ?? ''
      await cancelDownload(services, { itemId: params.id, quality, accountId: signedInAccount(request).id })
      return { message: 'The download is not wanted any more' }
    },
  })
}

/** The files that were made. */
export const downloadFileRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/:id/download/:quality',
    config: {
      access: 'signed',
      reveals: 'items',
      // Browsers play it as well as they save it.
      playback: 'item',
      saves: true,
      signedResource: ({ id = '', quality = '' }) => downloadResource({ itemId: id, quality }),
    },
    schema: { params: DownloadFileParameters },
    handler: async (request, reply) => {
      const { id: itemId, quality } = request.params
      const { handle, name, durationSeconds } = await openDownload(services, { itemId, quality })
      await requireBandwidthForFile(request, { handle, durationSeconds })
      reply.header('content-disposition', attachmentHeader(name))
      return sendFile(request, reply, { handle, contentType: contentTypeOfFile(name), cacheControl: CACHE_CONTROL })
    },
  })
}
