import { accountErrors, mayDownload } from '../../../core/accounts/index.ts'
import { getItem } from '../../../core/catalogue/index.ts'
import { downloadResource, findDownload, openDownload, requestDownload } from '../../../core/downloads/index.ts'
import { contentTypeOf, fileErrors } from '../../../core/platform/files/index.ts'
import type { FastifyRequest } from 'fastify'
import type { RoutePlugin } from '../../http/app-types.ts'
import { attachmentNamed } from '../../http/attachment-name.ts'
import { IdParameters } from '../../http/schemas.ts'
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
    config: { access: 'user', reveals: 'items', isStatusPoll: true },
    schema: {
      params: IdParameters,
      querystring: QualityQuery,
      response: { 200: AnyDownload },
    },
    handler: async (request) => {
      requireDownloads(request)
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
    config: { access: 'user', reveals: 'items', invalidStatus: 422 },
    schema: { params: IdParameters, querystring: QualityQuery, response: { 202: ConvertedDownload } },
    handler: async (request, reply) => {
      requireDownloads(request)
      const { params, query } = request
      const quality = query.quality ?? query.rung ?? ''
      const download = await requestDownload(services, { itemId: params.id, quality })
      return reply.code(202).send(downloadView(download, services.signer))
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
      signedResource: ({ id = '', quality = '' }) => downloadResource({ itemId: id, quality }),
    },
    schema: { params: DownloadFileParameters },
    handler: async (request, reply) => {
      const { id: itemId, quality } = request.params
      // A signed address was given to somebody who may download.
      if (request.account !== null) requireDownloads(request)
      const { handle, name } = await openDownload(services, { itemId, quality })
      reply.header('content-disposition', attachmentNamed(name))
      return sendFile(request, reply, { handle, contentType: contentTypeOf(name), cacheControl: CACHE_CONTROL })
    },
  })
}

/** @throws AppError `download_not_permitted` */
function requireDownloads(request: Pick<FastifyRequest, 'account'>): void {
  if (!mayDownload(signedInAccount(request))) throw accountErrors.download_not_permitted()
}
