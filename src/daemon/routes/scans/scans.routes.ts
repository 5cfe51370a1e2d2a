import { getLibrary } from '../../../core/libraries/index.ts'
import { findLatestScan, listLibraryScanJobs, queueScan } from '../../../core/scanning/index.ts'
import { httpErrors } from '../../errors.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { IdParameters } from '../../http/schemas.ts'
import {
  Confirmation,
  HistoryQuery,
  PruneBody,
  QueuedScan,
  RescanBody,
  ScanHistory,
  ScanStatus,
} from './scans.schemas.ts'
import { queuedJobView, scanStatusView } from './scans.view.ts'

/** Last path segment, and type of the job that it queues. */
const METADATA_JOBS = [
  ['match-metadata', 'metadata'],
  ['refresh-metadata', 'metadata_refresh'],
  ['clear-metadata', 'clear_metadata'],
  ['clear-artwork', 'clear_artwork'],
] as const

/** Scan jobs of a library. */
export const scanRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'POST',
    url: '/:id/scan',
    config: { access: 'admin', reveals: 'items' },
    schema: { params: IdParameters, response: { 202: QueuedScan } },
    handler: async (request, reply) => {
      const input = { libraryId: request.params.id, type: 'scan', requestedBy: request.account?.id } as const
      return reply.code(202).send(queuedJobView(await queueScan(services, input)))
    },
  })

  app.route({
    method: 'POST',
    url: '/:id/rescan',
    config: { access: 'admin', reveals: 'items' },
    schema: { params: IdParameters, body: RescanBody, response: { 202: QueuedScan } },
    handler: async (request, reply) => {
      const input = { libraryId: request.params.id, type: 'rescan', requestedBy: request.account?.id } as const
      const readEveryFile = request.body.read_every_file
      return reply.code(202).send(queuedJobView(await queueScan(services, { ...input, readEveryFile })))
    },
  })

  app.route({
    method: 'POST',
    url: '/:id/prune',
    config: { access: 'admin', reveals: 'items' },
    schema: { params: IdParameters, body: PruneBody, response: { 202: QueuedScan } },
    handler: async (request, reply) => {
      const input = { libraryId: request.params.id, type: 'prune', requestedBy: request.account?.id } as const
      return reply.code(202).send(queuedJobView(await queueScan(services, { ...input, force: request.body.force })))
    },
  })

  for (const [name, type] of METADATA_JOBS) {
    app.route({
      method: 'POST',
      url: `/:id/${name}`,
      config: { access: 'admin', reveals: 'items' },
      schema: { params: IdParameters, response: { 202: QueuedScan } },
      handler: async (request, reply) => {
        const input = { libraryId: request.params.id, type, requestedBy: request.account?.id }
        return reply.code(202).send(queuedJobView(await queueScan(services, input)))
      },
    })
  }

  app.route({
    method: 'POST',
    url: '/:id/delete-all',
    config: { access: 'admin', reveals: 'items' },
    schema: { params: IdParameters, querystring: Confirmation, body: Confirmation, response: { 202: QueuedScan } },
    handler: async (request, reply) => {
      const { id: libraryId } = await getLibrary(services, request.params.id)
      if (request.query.confirm !== true && request.body.confirm !== true) throw httpErrors.confirmation_required()
      const input = { libraryId, type: 'delete_all', requestedBy: request.account?.id } as const
      return reply.code(202).send(queuedJobView(await queueScan(services, input)))
    },
  })

  app.route({
    method: 'GET',
    url: '/:id/scan-status',
    config: { access: 'admin', reveals: 'items', isStatusPoll: true },
    schema: { params: IdParameters, response: { 200: ScanStatus } },
    handler: async (request) => {
      const library = await getLibrary(services, request.params.id)
      const job = await findLatestScan(services, library.id)
      return { scan_status: job === undefined ? null : scanStatusView(job, library.type) }
    },
  })

  app.route({
    method: 'GET',
    url: '/:id/scan-history',
    config: { access: 'admin', reveals: 'items' },
    schema: { params: IdParameters, querystring: HistoryQuery, response: { 200: ScanHistory } },
    handler: async (request) => {
      const library = await getLibrary(services, request.params.id)
      const jobs = await listLibraryScanJobs(services, { libraryId: library.id, ...request.query })
      return { history: jobs.map((job) => scanStatusView(job, library.type)) }
    },
  })
}
