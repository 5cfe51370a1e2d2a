import { CHECKS, runChecks } from '../../../core/doctor/index.ts'
import { createDoctorContext } from '../../../core/open-doctor.ts'
import { cacheResult } from '../../../core/platform/cache/index.ts'
import { readServerStatus } from '../../../core/server-status/index.ts'
import { serverStatusView } from '../../../core/views/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { AdminHealth } from './admin-health.schemas.ts'
import { createReadiness } from './readiness.ts'

/** Checks that are not run here: an encoder test would take processor time from players, and this process itself uses the ports. */
const NOT_EXAMINED: ReadonlySet<string> = new Set(['encoders', 'ports'])

const LIMIT_SECONDS = 5
const REMEMBERED_MILLISECONDS = 30_000

/** `/api/v1/admin/health`: the checks of `phlix doctor` and the state of the server, for administrators. */
export const adminHealthRoutes: RoutePlugin = (app, { services, lifecycle }) => {
  const readiness = createReadiness(services, lifecycle)
  const checks = CHECKS.filter(({ id }) => !NOT_EXAMINED.has(id))
  const read = cacheResult(services.clock, REMEMBERED_MILLISECONDS, async () => {
    const context = await createDoctorContext(services)
    const [missing, { findings }, server] = await Promise.all([
      readiness.problems(),
      runChecks(context, { checks, limitSeconds: LIMIT_SECONDS, isMending: false }),
      readServerStatus(services).then(serverStatusView, () => null),
    ])
    const status = missing.length === 0 ? ('ready' as const) : ('not_ready' as const)
    return { status, missing, server, checks: findings }
  })
  app.route({
    method: 'GET',
    url: '/health',
    config: { access: 'admin', reveals: 'none', isProbe: true },
    schema: { response: { 200: AdminHealth } },
    handler: async () => ({ success: true as const, data: await read() }),
  })
}
