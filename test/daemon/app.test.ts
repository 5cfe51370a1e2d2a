import { sql } from 'slonik'
import t from 'tap'
import { z } from 'zod'
import { startApp } from '../support/app.ts'
import { testServices } from '../support/services.ts'
import { buildApp } from '../../src/daemon/app.ts'
import type { RoutePlugin } from '../../src/daemon/http/app-types.ts'

/** Routes without authentication. Adding a line requires a decision. */
const PUBLIC_ROUTES = [
  'DELETE /api/v1/auth/quick-connect/:code',
  'GET /',
  'GET /.well-known/jwks.json',
  'GET /api/v1/auth/oidc/callback',
  'GET /api/v1/auth/oidc/start',
  'GET /api/v1/auth/options',
  'GET /api/v1/auth/quick-connect/:code/status',
  'GET /api/v1/health/network',
  'GET /api/v1/health/relay',
  'GET /api/v1/server-identity',
  'GET /api/v1/users/:id/avatar',
  'GET /assets/*',
  'GET /health',
  'GET /healthz',
  'GET /readyz',
  'GET /s',
  'POST /api/v1/auth/invite',
  'POST /api/v1/auth/login',
  'POST /api/v1/auth/logout',
  'POST /api/v1/auth/oidc/backchannel-logout',
  'POST /api/v1/auth/oidc/token',
  'POST /api/v1/auth/quick-connect/:code/token',
  'POST /api/v1/auth/quick-connect/initiate',
  'POST /api/v1/auth/refresh',
  'POST /api/v1/auth/register',
  'POST /api/v1/auth/web/adopt',
  'POST /api/v1/auth/web/logout',
  'POST /api/v1/auth/web/refresh',
  'POST /api/v1/auth/webauthn/login/options',
  'POST /api/v1/auth/webauthn/login/verify',
  'POST /api/v1/integrations/radarr/webhook',
  'POST /api/v1/integrations/sonarr/webhook',
  'POST /s/open',
]

/** Routes for administrators only. Removing a line requires a decision. */
const ADMIN_ROUTES = [
  'DELETE /api/v1/admin/api-keys/:id',
  'DELETE /api/v1/admin/backup/:id',
  'DELETE /api/v1/admin/invites/:id',
  'DELETE /api/v1/admin/plugins/:name',
  'DELETE /api/v1/admin/plugins/catalog/sources',
  'DELETE /api/v1/admin/profiles/:id',
  'DELETE /api/v1/admin/profiles/:id/pin',
  'DELETE /api/v1/admin/profiles/:id/schedules/:scheduleId',
  'DELETE /api/v1/admin/profiles/:id/tags/:tagId',
  'DELETE /api/v1/admin/shares/:id',
  'DELETE /api/v1/admin/users/:id',
  'DELETE /api/v1/admin/users/:id/devices',
  'DELETE /api/v1/admin/users/:id/devices/:deviceId',
  'DELETE /api/v1/admin/webhooks/:id',
  'DELETE /api/v1/admin/webhooks/logs/:id',
  'DELETE /api/v1/admin/webhooks/subscriptions/:id',
  'DELETE /api/v1/libraries/:id',
  'DELETE /api/v1/libraries/:id/theme-media',
  'DELETE /api/v1/media/:id',
  'DELETE /api/v1/media/:id/markers',
  'DELETE /api/v1/media/:id/subtitles/external/:stream',
  'GET /api/v1/admin/api-keys',
  'GET /api/v1/admin/backup/list',
  'GET /api/v1/admin/backup/schedule',
  'GET /api/v1/admin/dashboard/activity',
  'GET /api/v1/admin/dashboard/now-playing',
  'GET /api/v1/admin/dashboard/storage',
  'GET /api/v1/admin/dashboard/top-media',
  'GET /api/v1/admin/dashboard/top-users',
  'GET /api/v1/admin/fs/browse',
  'GET /api/v1/admin/health',
  'GET /api/v1/admin/invites',
  'GET /api/v1/admin/libraries/:id/duplicates',
  'GET /api/v1/admin/logs',
  'GET /api/v1/admin/logs/tail',
  'GET /api/v1/admin/logs/tail-all',
  'GET /api/v1/admin/maintenance/jobs',
  'GET /api/v1/admin/maintenance/jobs/:id',
  'GET /api/v1/admin/maintenance/tasks',
  'GET /api/v1/admin/metadata/sources',
  'GET /api/v1/admin/metrics/connections',
  'GET /api/v1/admin/metrics/history',
  'GET /api/v1/admin/metrics/routes',
  'GET /api/v1/admin/metrics/snapshot',
  'GET /api/v1/admin/plugins',
  'GET /api/v1/admin/plugins/:name',
  'GET /api/v1/admin/plugins/auto-update',
  'GET /api/v1/admin/plugins/catalog',
  'GET /api/v1/admin/plugins/catalog/channel',
  'GET /api/v1/admin/plugins/updates',
  'GET /api/v1/admin/profiles/:id',
  'GET /api/v1/admin/profiles/:id/explain',
  'GET /api/v1/admin/profiles/:id/schedules',
  'GET /api/v1/admin/profiles/:id/stream-limits',
  'GET /api/v1/admin/profiles/:id/tags',
  'GET /api/v1/admin/remote/hub/status',
  'GET /api/v1/admin/remote/portforward/candidates',
  'GET /api/v1/admin/remote/portforward/status',
  'GET /api/v1/admin/remote/relay/status',
  'GET /api/v1/admin/requests',
  'GET /api/v1/admin/server/fs',
  'GET /api/v1/admin/server/status',
  'GET /api/v1/admin/settings',
  'GET /api/v1/admin/shares',
  'GET /api/v1/admin/stats/playback',
  'GET /api/v1/admin/stats/storage',
  'GET /api/v1/admin/stats/top-media',
  'GET /api/v1/admin/stats/top-users',
  'GET /api/v1/admin/transcoding/accelerators',
  'GET /api/v1/admin/transcoding/tone-mapping',
  'GET /api/v1/admin/updates/status',
  'GET /api/v1/admin/users',
  'GET /api/v1/admin/users/:id',
  'GET /api/v1/admin/users/:id/access',
  'GET /api/v1/admin/users/:id/devices',
  'GET /api/v1/admin/users/:id/profiles',
  'GET /api/v1/admin/watch-history',
  'GET /api/v1/admin/webhooks',
  'GET /api/v1/admin/webhooks/:id',
  'GET /api/v1/admin/webhooks/logs',
  'GET /api/v1/admin/webhooks/subscriptions',
  'GET /api/v1/libraries/:id/scan-history',
  'GET /api/v1/libraries/:id/scan-status',
  'GET /api/v1/media/:id/match/search',
  'GET /api/v1/media/:id/posters',
  'PATCH /api/v1/media/:id/metadata',
  'POST /api/v1/admin/backup/:id/restore',
  'POST /api/v1/admin/backup/:id/upload-s3',
  'POST /api/v1/admin/backup/create',
  'POST /api/v1/admin/invites',
  'POST /api/v1/admin/maintenance/cleanup-orphaned-stats',
  'POST /api/v1/admin/maintenance/dedupe-paths',
  'POST /api/v1/admin/maintenance/reap-scan-jobs',
  'POST /api/v1/admin/maintenance/reap-transcode-jobs',
  'POST /api/v1/admin/maintenance/storage-snapshot',
  'POST /api/v1/admin/media/merge',
  'POST /api/v1/admin/plugins/:name/disable',
  'POST /api/v1/admin/plugins/:name/enable',
  'POST /api/v1/admin/plugins/:name/test',
  'POST /api/v1/admin/plugins/:name/update',
  'POST /api/v1/admin/plugins/catalog/sources',
  'POST /api/v1/admin/plugins/install',
  'POST /api/v1/admin/plugins/updates/apply',
  'POST /api/v1/admin/profiles/:id/pin',
  'POST /api/v1/admin/profiles/:id/schedules',
  'POST /api/v1/admin/profiles/:id/tags',
  'POST /api/v1/admin/remote/hub/complete',
  'POST /api/v1/admin/remote/hub/heartbeat',
  'POST /api/v1/admin/remote/hub/pair',
  'POST /api/v1/admin/remote/hub/poll',
  'POST /api/v1/admin/remote/hub/unenroll',
  'POST /api/v1/admin/remote/portforward/disable',
  'POST /api/v1/admin/remote/portforward/enable',
  'POST /api/v1/admin/remote/relay/disable',
  'POST /api/v1/admin/remote/relay/enable',
  'POST /api/v1/admin/remote/relay/ping',
  'POST /api/v1/admin/requests/:id/approve',
  'POST /api/v1/admin/requests/:id/deny',
  'POST /api/v1/admin/restart',
  'POST /api/v1/admin/server/restart',
  'POST /api/v1/admin/updates/check',
  'POST /api/v1/admin/users',
  'POST /api/v1/admin/users/:id/approve',
  'POST /api/v1/admin/users/:id/disable',
  'POST /api/v1/admin/users/:id/profiles',
  'POST /api/v1/admin/users/:id/reject',
  'POST /api/v1/admin/users/:id/reset-password',
  'POST /api/v1/admin/users/:id/set-admin',
  'POST /api/v1/admin/webhooks',
  'POST /api/v1/admin/webhooks/:id/test',
  'POST /api/v1/admin/webhooks/logs/:id/retry',
  'POST /api/v1/admin/webhooks/subscriptions',
  'POST /api/v1/libraries',
  'POST /api/v1/libraries/:id/clear-artwork',
  'POST /api/v1/libraries/:id/clear-metadata',
  'POST /api/v1/libraries/:id/delete-all',
  'POST /api/v1/libraries/:id/match-metadata',
  'POST /api/v1/libraries/:id/prune',
  'POST /api/v1/libraries/:id/refresh-metadata',
  'POST /api/v1/libraries/:id/rescan',
  'POST /api/v1/libraries/:id/scan',
  'POST /api/v1/libraries/:id/theme-media/scan',
  'POST /api/v1/media/:id/match/apply',
  'PUT /api/v1/admin/backup/schedule',
  'PUT /api/v1/admin/plugins/:name/settings',
  'PUT /api/v1/admin/plugins/auto-update',
  'PUT /api/v1/admin/plugins/catalog/channel',
  'PUT /api/v1/admin/profiles/:id',
  'PUT /api/v1/admin/profiles/:id/schedules/:scheduleId',
  'PUT /api/v1/admin/profiles/:id/stream-limits',
  'PUT /api/v1/admin/settings',
  'PUT /api/v1/admin/transcoding/accelerators',
  'PUT /api/v1/admin/transcoding/tone-mapping',
  'PUT /api/v1/admin/users/:id',
  'PUT /api/v1/admin/users/:id/access',
  'PUT /api/v1/admin/webhooks/:id',
  'PUT /api/v1/admin/webhooks/subscriptions/:id',
  'PUT /api/v1/libraries/:id',
  'PUT /api/v1/media/:id/markers',
  'PUT /api/v1/media/:id/poster',
]

const ANY_ID = '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11'

/** The path of a route with a value for every parameter. */
const pathOf = (url: string): string => url.replaceAll(/:[a-zA-Z]+/g, ANY_ID).replace('*', 'x')

void t.test('a route without an access level stops the start (AZ-05)', async (t) => {
  const services = await testServices(t)
  const open: RoutePlugin = (app) => void app.route({ method: 'GET', url: '/open', handler: async () => 'x' })
  const odd: RoutePlugin = (app) =>
    void app.route({ method: 'GET', url: '/odd', config: { access: 'everyone' as never }, handler: async () => 'x' })
  const unsigned: RoutePlugin = (app) =>
    void app.route({
      method: 'GET',
      url: '/file',
      config: { access: 'signed', reveals: 'none' },
      handler: async () => 'x',
    })
  await t.rejects(buildApp(services, { routes: [['', open]] }), /GET \/open does not declare config.access/)
  await t.rejects(buildApp(services, { routes: [['/x', odd]] }), /GET \/x\/odd does not declare config.access/)
  await t.rejects(buildApp(services, { routes: [['', unsigned]] }), /GET \/file is signed but does not declare/)
  const unbound: RoutePlugin = (app) =>
    void app.route({
      method: 'GET',
      url: '/:share/all',
      config: { access: 'guest', reveals: 'items' },
      handler: async () => 'x',
    })
  await t.rejects(
    buildApp(services, { routes: [['/s', unbound]] }),
    /all is for guests but does not declare config.guestTarget/,
  )
})

void t.test(
  'a route that does not say whether it reveals items stops the start, and so does a hook beside it',
  async (t) => {
    const services = await testServices(t)
    const silent: RoutePlugin = (app) =>
      void app.route({
        method: 'GET',
        url: '/silent',
        config: { access: 'user' } as never,
        handler: async () => 'x',
      })
    const hooked: RoutePlugin = (app) => {
      app.addHook('onRequest', async () => undefined)
      void app.route({
        method: 'GET',
        url: '/x',
        config: { access: 'user', reveals: 'items' },
        handler: async () => 'x',
      })
    }
    await t.rejects(buildApp(services, { routes: [['', silent]] }), /GET \/silent does not declare config.reveals/)
    await t.rejects(buildApp(services, { routes: [['/hooked', hooked]] }), /the routes of \/hooked reveal items/)
  },
)

void t.test('the public routes are exactly the listed ones', async (t) => {
  const { app } = await startApp(t)
  const found = app.declaredRoutes.filter(({ access, method }) => access === 'public' && method !== 'HEAD')
  t.strictSame(found.map(({ method, url }) => `${method} ${url}`).toSorted(), PUBLIC_ROUTES)
})

void t.test('the routes of administrators are exactly the listed ones', async (t) => {
  const { app } = await startApp(t)
  const found = app.declaredRoutes.filter(({ access, method }) => access === 'admin' && method !== 'HEAD')
  t.strictSame(found.map(({ method, url }) => `${method} ${url}`).toSorted(), ADMIN_ROUTES)
})

void t.test('without a token every other route answers 401 (AZ-01)', async (t) => {
  const { app, ask } = await startApp(t)
  const guarded = app.declaredRoutes.filter(({ access }) => access !== 'public')
  t.ok(guarded.length > 10, 'routes were found')
  const refusal = { error: 'Unauthorized', code: 'auth.required' }
  const ofGuests = { error: 'The link is not open here', code: 'share_not_open' }
  for (const { method, url, access } of guarded) {
    const answer = await ask(method, pathOf(url))
    t.equal(answer.status, 401, `${method} ${url}`)
    if (method !== 'HEAD') t.strictSame(answer.json, access === 'guest' ? ofGuests : refusal)
  }
})

/** The number of rows in every table that an administrator's route could have written. */
const COUNT_ROWS = sql.type(z.strictObject({ rows: z.number() }))`
  select (select count(*) from libraries) + (select count(*) from scan_jobs) + (select count(*) from media_requests) as rows`

void t.test('with a user’s token every admin route answers 403 and does nothing (AZ-02)', async (t) => {
  const { app, ask, services, registerUser } = await startApp(t)
  const { token } = await registerUser()
  const before = await services.db.oneFirst(COUNT_ROWS)
  const guarded = app.declaredRoutes.filter(({ access }) => access === 'admin')
  t.ok(guarded.length > 3, 'routes were found')
  for (const { method, url } of guarded) {
    const body = method === 'POST' ? { name: 'Mine', type: 'movie', path: '/srv' } : undefined
    const answer = await ask(method, pathOf(url), { token, body })
    t.equal(answer.status, 403, `${method} ${url}`)
    const code = url.startsWith('/api/v1/admin/requests') ? 'admin_required' : 'auth.not_admin'
    if (method !== 'HEAD') t.strictSame(answer.json, { error: 'Forbidden', code })
  }
  t.equal(await services.db.oneFirst(COUNT_ROWS), before, 'nothing was written')
})

void t.test(
  'HEAD is guarded like GET, and OPTIONS reveals nothing to other origins, on every route (AZ-07)',
  async (t) => {
    const { app, ask } = await startApp(t)
    const accessOf = new Map(app.declaredRoutes.map(({ method, url, access }) => [`${method} ${url}`, access]))
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'GET' }
    for (const { method, url, access } of app.declaredRoutes.filter((route) => route.method === 'GET')) {
      t.equal(accessOf.get(`HEAD ${url}`), access, `${method} ${url}`)
      if (access !== 'public') t.equal((await ask('HEAD', pathOf(url))).status, 401, `HEAD ${url}`)
      const options = await ask('OPTIONS', pathOf(url), { headers })
      t.equal(options.status, 404, `OPTIONS ${url}`)
      t.equal(options.headers.get('access-control-allow-origin'), null)
    }
  },
)

void t.test('no other spelling of a path bypasses the guard (AZ-06)', async (t) => {
  const { ask } = await startApp(t)
  for (const path of [
    '/api/v1/media?x=/api/v1/auth/login',
    '/api/v1/auth/..%2fmedia',
    '/api/v1/auth/%2e%2e/media',
    '/API/V1/media',
    '//api/v1/media',
    '/api/v1/media/',
    '/api/v1/media;x=1',
    '/api/v1/libraries/',
    '/api/v1/auth/login/../../media',
    '/api/v1/media%2f',
    '/api/v1%2fmedia',
    '/api/v1/auth/login/..;/media',
    '/api/v1/auth/login%00/../media',
    '/api//v1/media',
    '/./api/v1/media',
  ]) {
    t.ok([401, 404].includes((await ask('GET', path)).status), path)
  }
})
