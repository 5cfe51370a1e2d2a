import t from 'tap'
import { pick, startApp } from '../../../support/app.ts'

const PATH = '/api/v1/admin/health'

void t.test('administrators get the checks of doctor and the state of the server', async (t) => {
  const app = await startApp(t)
  const { token } = await app.registerAdmin()
  const { token: other } = await app.registerUser()
  t.equal((await app.ask('GET', PATH)).status, 401)
  t.match(await app.ask('GET', PATH, { token: other }), { status: 403, json: { code: 'auth.not_admin' } })
  const { status, json } = await app.ask('GET', PATH, { token })
  t.equal(status, 200)
  t.match(json, {
    success: true,
    data: {
      status: 'ready',
      missing: [],
      server: { version: String, database: { engine: 'external' }, sessions: { users: 2 }, jobs: [] },
    },
  })
  const checks = pick(json, 'data', 'checks') as { id: string; level: string; fix: string | null }[]
  t.match(
    checks.find(({ id }) => id === 'migrations'),
    { level: 'ok', fix: null },
  )
  t.match(
    checks.find(({ id }) => id === 'database'),
    { level: 'ok' },
  )
  for (const left of ['encoders', 'ports']) t.notOk(checks.some(({ id }) => id === left))
  t.strictSame((await app.ask('GET', PATH, { token })).json, json, 'the answer is used for a while')
})
