import {
  changeToneMapping,
  getToneMapping,
  listAccelerators,
  setPreferredAccelerator,
} from '../../../core/streaming/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { errorReasonBody, sendErrorAs } from '../../hooks/errors.ts'
import {
  AcceleratorBody,
  Accelerators,
  ChangedAccelerator,
  ChangedToneMapping,
  ToneMappingBody,
  ToneMappingReply,
} from './transcoding-settings.schemas.ts'
import { acceleratorsView, toneMappingView } from './transcoding-settings.view.ts'

/** `/api/v1/admin/transcoding`: encoder settings. */
export const transcodingSettingsRoutes: RoutePlugin = (app, { services }) => {
  app.setErrorHandler((error, request, reply) => sendErrorAs(errorReasonBody, error, { request, reply }))

  app.route({
    method: 'GET',
    url: '/accelerators',
    config: { access: 'admin', reveals: 'none' },
    schema: { response: { 200: Accelerators } },
    handler: async () => ({ success: true as const, data: acceleratorsView(await listAccelerators(services)) }),
  })

  app.route({
    method: 'PUT',
    url: '/accelerators',
    config: { access: 'admin', reveals: 'none' },
    schema: { body: AcceleratorBody, response: { 200: ChangedAccelerator } },
    handler: async ({ body }) => {
      setPreferredAccelerator(body.name)
      return { success: true as const, message: `${body.name} is preferred` }
    },
  })

  app.route({
    method: 'GET',
    url: '/tone-mapping',
    config: { access: 'admin', reveals: 'none' },
    schema: { response: { 200: ToneMappingReply } },
    handler: async () => ({ success: true as const, data: toneMappingView(await getToneMapping(services)) }),
  })

  app.route({
    method: 'PUT',
    url: '/tone-mapping',
    config: { access: 'admin', reveals: 'none' },
    schema: { body: ToneMappingBody, response: { 200: ChangedToneMapping } },
    handler: async ({ body }) => {
      const mode = body.tone_map_mode ?? body.tone_mapping_mode
      const changed = await changeToneMapping(services, { mode, prefersHdrOutput: body.prefer_hdr_output })
      return { success: true as const, message: `Tone mapping is ${changed}`, data: toneMappingView(changed) }
    },
  })
}
