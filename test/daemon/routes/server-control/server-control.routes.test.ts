import t from 'tap'
import { httpErrors } from '../../../../src/daemon/errors.ts'
import { pick, startApp } from '../../../support/app.ts'
import { movableClock } from '../../../support/records.ts'
import { testServices } from '../../../support/services.ts'

const RESTARTS = ['/api/v1/admin/restart', '/api/v1/admin/server/restart']

void t.test('status and restart for administrators', async (t) => {
  const clock = movableClock()
  const app = await startApp(t, { services: await testServices(t, { clock }) })
  const { token } = await app.registerAdmin()
  const { token: other } = await app.registerUser()
  let restarts = 0
  app.lifecycle.restart = () => void (restarts += 1)

  await t.test('other users may not call them', async (t) => {
    for (const [method, path] of [['GET', '/api/v1/admin/server/status'], ...RESTARTS.map((path) => ['POST', path])]) {
      t.equal((await app.ask(method ?? '', path ?? '')).status, 401)
      t.match(await app.ask(method ?? '', path ?? '', { token: other }), {
        status: 403,
        json: { code: 'auth.not_admin' },
      })
    }
    t.equal(restarts, 0)
  })

  await t.test('the status counts whole seconds since the start', async (t) => {
    clock.advance(90.9)
    const { status, json } = await app.ask('GET', '/api/v1/admin/server/status', { token })
    t.equal(status, 200)
    t.match(json, { status: 'running', uptime: 90, started_at: '2026-03-01T12:00:00.000Z', version: /^\d+\.\d+\.\d+/ })
  })

  await t.test('both addresses restart; each client finds the message where it looks', async (t) => {
    for (const path of RESTARTS) {
      const { status, json } = await app.ask('POST', path, { token, body: {} })
      t.equal(status, 200)
      t.equal(pick(json, 'message'), pick(json, 'data', 'message'))
      t.equal(pick(json, 'success'), true)
    }
    t.equal(restarts, 2)
  })

  await t.test('a restart that could not begin again is refused with the reason', async (t) => {
    app.lifecycle.restart = () => {
      throw httpErrors.restart_refused({ message: 'server.port must be a whole number' })
    }
    t.match(await app.ask('POST', RESTARTS[0] ?? '', { token }), {
      status: 409,
      json: { code: 'restart_refused', error: 'server.port must be a whole number' },
    })
    delete app.lifecycle.restart
    t.match(await app.ask('POST', RESTARTS[0] ?? '', { token }), { status: 409, json: { error: 'Restart refused' } })
  })
})
