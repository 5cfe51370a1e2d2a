import { isTrailer, listExtras } from '../../../core/extras/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { IdParameters } from '../../http/schemas.ts'
import { createPathFormatter } from '../../http/path-formatter.ts'
import { signedInAccount } from '../../http/signed-in-account.ts'
import { ExtraList, TrailerList } from './extras.schemas.ts'
import { extraView } from './extras.view.ts'

/** Trailers and other extras of an item. */
export const extraRoutes: RoutePlugin = (app, { services }) => {
  const { signer } = services

  app.route({
    method: 'GET',
    url: '/:id/extras',
    config: { access: 'user', reveals: 'items' },
    schema: { params: IdParameters, response: { 200: ExtraList } },
    handler: async (request) => {
      const { id } = request.params
      const showPath = await createPathFormatter(services, signedInAccount(request))
      const extras = await listExtras(services, id)
      return { extras: extras.map((extra) => extraView(id, extra, { signer, showPath })), count: extras.length }
    },
  })

  app.route({
    method: 'GET',
    url: '/:id/trailers',
    config: { access: 'user', reveals: 'items' },
    schema: { params: IdParameters, response: { 200: TrailerList } },
    handler: async (request) => {
      const { id } = request.params
      const showPath = await createPathFormatter(services, signedInAccount(request))
      const trailers = (await listExtras(services, id)).filter((extra) => isTrailer(extra))
      return { trailers: trailers.map((extra) => extraView(id, extra, { signer, showPath })), count: trailers.length }
    },
  })

  app.route({
    method: 'GET',
    url: '/:id/extras/other',
    config: { access: 'user', reveals: 'items' },
    schema: { params: IdParameters, response: { 200: ExtraList } },
    handler: async (request) => {
      const { id } = request.params
      const showPath = await createPathFormatter(services, signedInAccount(request))
      const extras = (await listExtras(services, id)).filter((extra) => !isTrailer(extra))
      return { extras: extras.map((extra) => extraView(id, extra, { signer, showPath })), count: extras.length }
    },
  })
}
