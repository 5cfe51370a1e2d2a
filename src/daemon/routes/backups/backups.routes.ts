import {
  changeSchedule,
  deleteBackup,
  findBackup,
  listWithBucket,
  makeServerBackup,
  openBucket,
  readSchedule,
  restoreAndRestart,
  uploadServerBackup,
} from '../../../core/backups/index.ts'
import { backupView } from '../../../core/views/index.ts'
import { httpErrors } from '../../errors.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { IdParameters } from '../../http/schemas.ts'
import {
  BackupList,
  CreateBody,
  CreatedBackup,
  Done,
  Schedule,
  ScheduleBody,
  UploadedBackup,
} from './backups.schemas.ts'
import { scheduleView } from './backups.view.ts'

/** `/api/v1/admin/backup`: the backups in the folder of the server. */
export const backupRoutes: RoutePlugin = (app, { services, lifecycle }) => {
  app.route({
    method: 'GET',
    url: '/list',
    config: { access: 'admin', reveals: 'none' },
    schema: { response: { 200: BackupList } },
    handler: async ({ signal }) => {
      const backups = await listWithBucket(services, signal)
      return { success: true as const, data: backups.map(backupView), count: backups.length }
    },
  })

  app.route({
    method: 'POST',
    url: '/create',
    config: { access: 'admin', reveals: 'none' },
    schema: { body: CreateBody, response: { 200: CreatedBackup } },
    handler: async ({ body }) => {
      const { id, path, bytes } = await makeServerBackup(services, { label: body.label ?? undefined })
      const data = { backup_id: id, file_path: path, size_bytes: bytes }
      return { success: true as const, message: 'Backup created', data }
    },
  })

  app.route({
    method: 'POST',
    url: '/:id/restore',
    config: { access: 'admin', reveals: 'none' },
    schema: { params: IdParameters, response: { 200: Done } },
    handler: async ({ params, signal }) => {
      const { restart } = lifecycle
      if (restart === undefined) throw httpErrors.restart_refused()
      await restoreAndRestart(services, { id: params.id, signal, restart })
      return { success: true as const, message: 'The backup was loaded; the server restarts with it' }
    },
  })

  app.route({
    method: 'POST',
    url: '/:id/upload-s3',
    config: { access: 'admin', reveals: 'none' },
    schema: { params: IdParameters, response: { 200: UploadedBackup } },
    handler: async ({ params, signal }) => {
      openBucket(services)
      const { id, path, name } = await findBackup({ config: services.config, id: params.id, signal })
      const { location, bytes, sha256, isNew } = await uploadServerBackup(services, { path, name, signal })
      const data = { backup_id: id, location, size_bytes: bytes, checksum_sha256: sha256 }
      return { success: true as const, message: isNew ? 'Backup uploaded' : 'The bucket has this backup', data }
    },
  })

  app.route({
    method: 'DELETE',
    url: '/:id',
    config: { access: 'admin', reveals: 'none' },
    schema: { params: IdParameters, response: { 200: Done } },
    handler: async ({ params }) => {
      await deleteBackup({ config: services.config, id: params.id })
      return { success: true as const, message: 'Backup deleted' }
    },
  })

  app.route({
    method: 'GET',
    url: '/schedule',
    config: { access: 'admin', reveals: 'none' },
    schema: { response: { 200: Schedule } },
    handler: async () => scheduleView(await readSchedule(services)),
  })

  app.route({
    method: 'PUT',
    url: '/schedule',
    config: { access: 'admin', reveals: 'none' },
    schema: { body: ScheduleBody, response: { 200: Schedule } },
    handler: async ({ body }) =>
      scheduleView(
        await changeSchedule(services, {
          intervalDays: body.auto_backup_interval_days,
          retention: body.retention_count,
        }),
      ),
  })
}
