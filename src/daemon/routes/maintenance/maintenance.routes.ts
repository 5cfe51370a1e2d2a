import {
  checkRelease,
  rebuildStatistics,
  getMaintenanceJob,
  listMaintenanceJobs,
  MAINTENANCE_TASKS,
  QUEUED_TASKS,
  queueMaintenanceJob,
  readReleaseStatus,
  requeueAbandonedScanJobs,
  removeUnusedTranscodeJobs,
  type QueuedTask,
} from '../../../core/maintenance/index.ts'
import { maintenanceJobView } from '../../../core/views/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { IdParameters } from '../../http/schemas.ts'
import { signedInAccount } from '../../http/signed-in-account.ts'
import { errorReasonBody, sendErrorAs } from '../../hooks/errors.ts'
import {
  CleanedStatistics,
  DedupeBody,
  JobList,
  JobsQuery,
  OneJob,
  QueuedJob,
  ReapBody,
  ReapedScans,
  ReapedTranscodes,
  TaskList,
  UpdateStatus,
} from './maintenance.schemas.ts'
import { updateStatusView } from './update-status.view.ts'

const success = true as const

/** `/api/v1/admin/maintenance`: what the server does by itself, at once. */
export const maintenanceRoutes: RoutePlugin = (app, { services }) => {
  app.setErrorHandler((error, request, reply) => sendErrorAs(errorReasonBody, error, { request, reply }))

  app.route({
    method: 'GET',
    url: '/tasks',
    config: { access: 'admin', reveals: 'none' },
    schema: { response: { 200: TaskList } },
    handler: async () => ({
      success,
      data: MAINTENANCE_TASKS.map(({ task, label, description, isDestructive }) => ({
        task,
        mode: QUEUED_TASKS.some((queued) => queued === task) ? 'queued' : 'sync',
        label,
        description,
        destructive: isDestructive,
      })),
    }),
  })

  app.route({
    method: 'GET',
    url: '/jobs',
    config: { access: 'admin', reveals: 'none' },
    schema: { querystring: JobsQuery, response: { 200: JobList } },
    handler: async ({ query }) => ({
      success,
      data: (await listMaintenanceJobs(services, query)).map((job) => maintenanceJobView(job)),
    }),
  })

  app.route({
    method: 'GET',
    url: '/jobs/:id',
    config: { access: 'admin', reveals: 'none' },
    schema: { params: IdParameters, response: { 200: OneJob } },
    handler: async ({ params }) => ({
      success,
      data: maintenanceJobView(await getMaintenanceJob(services, params.id)),
    }),
  })

  const queue = async (task: QueuedTask, { params, requestedBy }: { params: object; requestedBy: string }) => {
    const { job, isNew } = await queueMaintenanceJob(services, { task, params: { ...params }, requestedBy })
    return {
      status: isNew ? 202 : 200,
      body: { success, task, created: isNew, data: { job: maintenanceJobView(job) } },
    }
  }

  app.route({
    method: 'POST',
    url: '/storage-snapshot',
    config: { access: 'admin', reveals: 'none' },
    schema: { response: { '2xx': QueuedJob } },
    handler: async (request, reply) => {
      const { status, body } = await queue('storage-snapshot', { params: {}, requestedBy: signedInAccount(request).id })
      return reply.code(status).send(body)
    },
  })

  app.route({
    method: 'POST',
    url: '/dedupe-paths',
    config: { access: 'admin', reveals: 'none' },
    schema: { body: DedupeBody, response: { '2xx': QueuedJob } },
    handler: async (request, reply) => {
      const params = { apply: request.body.apply === true }
      const { status, body } = await queue('dedupe-paths', { params, requestedBy: signedInAccount(request).id })
      return reply.code(status).send(body)
    },
  })

  app.route({
    method: 'POST',
    url: '/reap-scan-jobs',
    config: { access: 'admin', reveals: 'none' },
    schema: { body: ReapBody, response: { 200: ReapedScans } },
    handler: async ({ body }) => {
      const { reaped } = await requeueAbandonedScanJobs(services)
      const requested = body.older_than_seconds ?? 0
      const data = { reaped, older_than_seconds: 0, requested_older_than_seconds: requested, floor_applied: false }
      return { success, task: 'reap-scan-jobs', data }
    },
  })

  app.route({
    method: 'POST',
    url: '/reap-transcode-jobs',
    config: { access: 'admin', reveals: 'none' },
    schema: { body: ReapBody, response: { 200: ReapedTranscodes } },
    handler: async ({ body }) => {
      const { reaped, olderThanSeconds } = await removeUnusedTranscodeJobs(services, {
        olderThanSeconds: body.older_than_seconds,
      })
      return { success, task: 'reap-transcode-jobs', data: { reaped, older_than_seconds: olderThanSeconds } }
    },
  })

  app.route({
    method: 'POST',
    url: '/cleanup-orphaned-stats',
    config: { access: 'admin', reveals: 'none' },
    schema: { response: { 200: CleanedStatistics } },
    handler: async () => {
      const { correctedDays } = await rebuildStatistics(services)
      const deleted = { 'play_days.plays': correctedDays }
      return {
        success,
        task: 'cleanup-orphaned-stats',
        data: { deleted, total: correctedDays, limit: 0, truncated: false },
      }
    },
  })
}

/** `/api/v1/admin/updates`: whether there is a newer release. */
export const updateRoutes: RoutePlugin = (app, { services }) => {
  app.setErrorHandler((error, request, reply) => sendErrorAs(errorReasonBody, error, { request, reply }))

  app.route({
    method: 'GET',
    url: '/status',
    config: { access: 'admin', reveals: 'none' },
    schema: { response: { 200: UpdateStatus } },
    handler: async () => ({ success, data: updateStatusView(await readReleaseStatus(services)) }),
  })

  app.route({
    method: 'POST',
    url: '/check',
    config: { access: 'admin', reveals: 'none' },
    schema: { response: { 200: UpdateStatus } },
    handler: async ({ signal }) => ({ success, data: updateStatusView(await checkRelease(services, signal)) }),
  })
}
