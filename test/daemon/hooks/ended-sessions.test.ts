import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { listDevices, revokeDevice } from '../../../src/core/accounts/index.ts'
import type { RouteEntry } from '../../../src/daemon/http/app-types.ts'
import { createRoutes } from '../../../src/daemon/routes/index.ts'
import { startApp, type Caller, type TestApp } from '../../support/app.ts'
import { testDatabase } from '../../support/database.ts'
import { testServices } from '../../support/services.ts'

/** A reply without an end, as that of a film is for a player that is paused. */
const endless: RouteEntry = [
  '/endless',
  (app) => {
    app.route({
      method: 'GET',
      url: '',
      config: { access: 'signed', reveals: 'none', signedResource: () => '/endless' },
      handler: async (_request, reply) => {
        const body = new Readable({ read: () => undefined })
        body.push('the beginning')
        return reply.header('content-type', 'video/mp4').send(body)
      },
    })
  },
]

/** Starts to read the endless reply. `ended` settles when the server cuts it off. */
async function play(app: TestApp, { token, query = '' }: { token?: string; query?: string }) {
  const stop = new AbortController()
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const reply = await fetch(`${app.baseUrl}/endless${query}`, { headers, signal: stop.signal })
  const reader = reply.body?.getReader()
  if (reader === undefined) throw new Error('the reply has no body')
  await reader.read()
  return {
    ended: reader.read().then(
      () => 'ended' as const,
      (error: Error) => error.name,
    ),
    stop,
  }
}

async function revokeAll(t: Test, { services }: TestApp, { account }: Caller): Promise<void> {
  for (const { id } of await listDevices(services, { accountId: account.id })) {
    await revokeDevice(services, { accountId: account.id, id })
  }
  t.strictSame(await listDevices(services, { accountId: account.id }), [])
}

const routes = [...createRoutes(), endless]

void t.test('a stream ends when its session is revoked, and those of others continue', async (t) => {
  const app = await startApp(t, { routes })
  const [user, admin] = [await app.registerUser(), await app.registerAdmin()]
  const [own, other] = [await play(app, user), await play(app, admin)]
  await revokeAll(t, app, user)
  t.not(await own.ended, 'AbortError')
  other.stop.abort()
  t.equal(await other.ended, 'AbortError')
})

void t.test('a stream ends when another process revokes its session', async (t) => {
  const database = await testDatabase(t)
  const app = await startApp(t, { routes, services: await testServices(t, { database }) })
  const elsewhere = await startApp(t, { services: await testServices(t, { database }) })
  const user = await app.registerUser()
  const { ended } = await play(app, user)
  await revokeAll(t, elsewhere, user)
  t.not(await ended, 'AbortError')
})

void t.test('a stream with a signed address has no session and continues', async (t) => {
  const app = await startApp(t, { routes })
  const user = await app.registerUser()
  const { exp, sig } = app.services.signer.sign('/endless')
  const { ended, stop } = await play(app, { query: `?exp=${exp}&sig=${sig}` })
  await revokeAll(t, app, user)
  t.equal((await app.ask('GET', '/api/v1/auth/me', { token: user.token })).status, 401)
  stop.abort()
  t.equal(await ended, 'AbortError')
})

void t.test('the request that ends its own session is answered completely', async (t) => {
  const app = await startApp(t, { routes })
  const user = await app.registerUser()
  const [device] = await listDevices(app.services, { accountId: user.account.id })
  const answer = await app.ask('DELETE', `/api/v1/me/devices/${device?.id}`, { token: user.token })
  t.strictSame([answer.status, answer.json], [200, { message: 'The device is signed out' }])
})
