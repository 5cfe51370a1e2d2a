import {
  approveRequest,
  deleteOwnRequest,
  denyRequest,
  getOwnRequest,
  readRequestsInBatches,
  submitRequest,
  type MediaRequest,
} from '../../../core/requests/index.ts'
import { signedInAccount } from '../../http/signed-in-account.ts'
import { requestView } from '../../../core/views/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { IdParameters } from '../../http/schemas.ts'
import { sendInBatches, createSerializer } from '../../http/send-in-batches.ts'
import {
  DecidedRequest,
  DenialBody,
  OneRequest,
  MediaRequestBody,
  RequestList,
  RequestListQuery,
  RequestRow,
  SubmittedRequest,
} from './requests.schemas.ts'

/** The user's own media requests. */
export const ownRequestRoutes: RoutePlugin = (app, { services }) => {
  const sendList = requestSender()

  app.route({
    method: 'POST',
    url: '',
    config: { access: 'user', reveals: 'items' },
    schema: { body: MediaRequestBody, response: { 201: SubmittedRequest } },
    handler: async (request, reply) => {
      const { catalog_id: catalogId, tmdb_id: tmdbId, poster_url: posterUrl, ...rest } = request.body
      const fields = { ...rest, catalogId: catalogId ?? tmdbId, posterUrl }
      const submitted = await submitRequest(services, { userId: signedInAccount(request).id, fields })
      return reply.code(201).send({ request: requestView(submitted), message: 'Request submitted' })
    },
  })

  app.route({
    method: 'GET',
    url: '',
    config: { access: 'user', reveals: 'items' },
    schema: { querystring: RequestListQuery, response: { 200: RequestList } },
    handler: async (request, reply) => {
      const { status = 'all', ...page } = request.query
      return sendList(reply, readRequestsInBatches(services, { userId: signedInAccount(request).id, status }, page))
    },
  })

  app.route({
    method: 'GET',
    url: '/:id',
    config: { access: 'user', reveals: 'items' },
    schema: { params: IdParameters, response: { 200: OneRequest } },
    handler: async (request) => {
      const which = { id: request.params.id, userId: signedInAccount(request).id }
      return { request: requestView(await getOwnRequest(services, which)) }
    },
  })

  app.route({
    method: 'DELETE',
    url: '/:id',
    config: { access: 'user', reveals: 'items' },
    schema: { params: IdParameters },
    handler: async (request, reply) => {
      await deleteOwnRequest(services, { id: request.params.id, userId: signedInAccount(request).id })
      return reply.code(204).send()
    },
  })
}

/** All users' requests, and the decisions of administrators. */
export const adminRequestRoutes: RoutePlugin = (app, { services }) => {
  const sendList = requestSender()

  app.route({
    method: 'GET',
    url: '',
    config: { access: 'admin', reveals: 'items', refusal: 'admin_required' },
    schema: { querystring: RequestListQuery, response: { 200: RequestList } },
    handler: async ({ query: { status = 'pending', ...page } }, reply) =>
      sendList(reply, readRequestsInBatches(services, { status }, page)),
  })
  app.route({
    method: 'POST',
    url: '/:id/approve',
    config: { access: 'admin', reveals: 'items', refusal: 'admin_required' },
    schema: { params: IdParameters, response: { 200: DecidedRequest } },
    handler: async (request) => {
      const { id } = await approveRequest(services, { id: request.params.id })
      return { message: 'Request approved', request_id: id }
    },
  })

  app.route({
    method: 'POST',
    url: '/:id/deny',
    config: { access: 'admin', reveals: 'items', refusal: 'admin_required' },
    schema: { params: IdParameters, body: DenialBody, response: { 200: DecidedRequest } },
    handler: async (request) => {
      const { id } = await denyRequest(services, { id: request.params.id, reason: request.body.reason })
      return { message: 'Request denied', request_id: id }
    },
  })
}

/** Returns a function that sends a list of requests, and their number, in batches. */
function requestSender() {
  const serialize = createSerializer(RequestRow)
  return <Answer>(
    reply: Parameters<typeof sendInBatches>[0],
    batches: AsyncIterable<readonly MediaRequest[]>,
  ): Promise<Answer> =>
    sendInBatches(reply, {
      key: 'requests',
      batches,
      serialize: (part) => part.map((request) => serialize(requestView(request))),
      countKey: 'count',
    })
}
