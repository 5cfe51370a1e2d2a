import { Readable } from 'node:stream'
import { sql } from 'slonik'
import t from 'tap'
import { catalogueErrors } from '../../../src/core/catalogue/index.ts'
import { setStreamLimits } from '../../../src/core/playback-limits/index.ts'
import type { RouteEntry } from '../../../src/daemon/http/app-types.ts'
import { createRoutes } from '../../../src/daemon/routes/index.ts'
import { pick, scanFilms, startApp } from '../../support/app.ts'
import { waitUntil } from '../../support/wait-until.ts'

void t.test('a reply of which the rate cannot be read any more keeps its place, and is asked once', async (t) => {
  let reads = 0
  /** A reply without an end, of which the rate is read late: what it sends was removed. */
  const endless: RouteEntry = [
    '/endless',
    (app) => {
      app.route({
        method: 'GET',
        url: '/:id',
        config: { access: 'user', reveals: 'none', playback: 'item' },
        handler: async (request, reply) => {
          await request.playAt?.(async () => {
            reads += 1
            throw catalogueErrors.media_item_not_found()
          })
          const body = new Readable({ read: () => undefined })
          body.push('the beginning')
          return reply.header('content-type', 'video/mp4').send(body)
        },
      })
    },
  ]
  const app = await startApp(t, { routes: [...createRoutes(), endless] })
  const { services, ask } = app
  const { account, token } = await app.registerUser()
  const other = await app.signIn(account.id)
  const { idOf } = await scanFilms(t, services, { 'One (2001).mp4': 'film-mp4', 'Two (2002).mp4': 'film-mp4' })
  const stop = new AbortController()
  const headers = { authorization: `Bearer ${token}` }
  const reply = await fetch(`${app.baseUrl}/endless/${idOf('One')}`, { headers, signal: stop.signal })
  await reply.body?.getReader().read()
  const limit = (maxKbps: number) =>
    setStreamLimits(services, {
      owner: { accountId: account.id },
      accountId: account.id,
      changes: { maxStreams: 1, maxKbps },
    })
  await limit(100_000)
  await waitUntil('it has its place', async () =>
    services.db.exists(sql.unsafe`select from open_streams where media_item_id = ${idOf('One')}`),
  )
  await limit(90_000)
  const { json } = await ask('GET', `/api/v1/media/${idOf('Two')}`, { token: other })
  t.match(await ask('GET', String(pick(json, 'stream_url'))), { status: 429, json: { code: 'StreamLimitExceeded' } })
  t.equal(reads, 1)
  stop.abort()
})
