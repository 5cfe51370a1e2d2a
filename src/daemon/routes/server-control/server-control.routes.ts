import { releaseVersion } from '../../../core/platform/config/index.ts'
import { toIsoTimestamp } from '../../../core/platform/time/index.ts'
import { httpErrors } from '../../errors.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { signedInAccount } from '../../http/signed-in-account.ts'
import { errorReasonBody, sendErrorAs } from '../../hooks/errors.ts'
import { Restarting, ServerStatus } from './server-control.schemas.ts'

const MESSAGE = 'The server restarts'

/** Status and restart of the server, at the paths that existing clients use. */
export const serverControlRoutes: RoutePlugin = (app, { services, lifecycle }) => {
  const { clock, log } = services
  const [startedAt, since] = [toIsoTimestamp(clock.now()), clock.monotonicMilliseconds()]
  const version = releaseVersion()
  app.setErrorHandler((error, request, reply) => sendErrorAs(errorReasonBody, error, { request, reply }))

  app.route({
    method: 'GET',
    url: '/server/status',
    config: { access: 'admin', reveals: 'items', isProbe: true },
    schema: { response: { 200: ServerStatus } },
    handler: async () => ({
      status: 'running' as const,
      uptime: Math.floor((clock.monotonicMilliseconds() - since) / 1000),
      started_at: startedAt,
      version,
    }),
  })

  for (const url of ['/restart', '/server/restart']) {
    app.route({
      method: 'POST',
      url,
      config: { access: 'admin', reveals: 'items' },
      schema: { response: { 200: Restarting } },
      handler: async (request) => {
        if (lifecycle.restart === undefined) throw httpErrors.restart_refused()
        lifecycle.restart()
        log.notice({ accountId: signedInAccount(request).id }, 'an administrator requested a restart')
        return { success: true as const, message: MESSAGE, data: { message: MESSAGE } }
      },
    })
  }
}
