import { once } from 'node:events'
import { request } from 'node:http'
import { PassThrough } from 'node:stream'
import type { FastifyContextConfig } from 'fastify'
import t, { type Test } from 'tap'
import type { Guest } from '../../../src/core/shares/index.ts'
import type { RoutePlugin } from '../../../src/daemon/http/app-types.ts'
import { startApp } from '../../support/app.ts'
import { testServices } from '../../support/services.ts'
import { waitUntil } from '../../support/wait-until.ts'

/** A route `/slow`, by default for users, that answers when the gate is open, and the number of its concurrent requests. */
function slowRoute(t: Test, config: Pick<FastifyContextConfig, 'access' | 'guestTarget'> = { access: 'user' }) {
  const gate = Promise.withResolvers<void>()
  t.teardown(() => gate.resolve())
  const counts = { begun: 0, running: 0, maxRunning: 0 }
  const slow: RoutePlugin = (app) => {
    app.route({
      method: 'GET',
      url: '/slow',
      config: { ...config, reveals: 'none' },
      handler: async () => {
        counts.begun += 1
        counts.running += 1
        counts.maxRunning = Math.max(counts.maxRunning, counts.running)
        await gate.promise
        counts.running -= 1
        return { ok: true }
      },
    })
  }
  return { gate, counts, slow }
}

void t.test(
  'an account has four concurrent requests, and media bytes and other accounts do not wait for them (RL-11)',
  async (t) => {
    const { gate, counts, slow } = slowRoute(t)
    const routes: RoutePlugin = (app) => {
      app.route({
        method: 'GET',
        url: '/quick',
        config: { access: 'user', reveals: 'none' },
        handler: async () => ({ ok: true }),
      })
      app.route({
        method: 'GET',
        url: '/bytes',
        config: { access: 'signed', reveals: 'none', signedResource: () => '/bytes' },
        handler: async () => ({ ok: true }),
      })
    }
    const { ask, baseUrl, registerUser, registerAdmin } = await startApp(t, {
      routes: [
        ['', slow],
        ['', routes],
      ],
    })
    const [{ token }, other] = [await registerUser(), await registerAdmin()]
    const answers = Array.from({ length: 15 }, () => ask('GET', '/slow', { token }))
    await waitUntil('four run', () => counts.running === 4)
    t.equal((await ask('GET', '/bytes', { token })).status, 200)
    t.equal((await ask('GET', '/quick', { token: other.token })).status, 200)

    const leaver = request(`${baseUrl}/quick`, { headers: { authorization: `Bearer ${token}` } })
    leaver.on('error', () => {})
    leaver.end()
    await once(leaver, 'finish')
    leaver.destroy()
    gate.resolve()
    t.strictSame([...new Set((await Promise.all(answers)).map(({ status }) => status))], [200])
    t.equal(counts.maxRunning, 4)
    for (let again = 0; again < 7; again += 1) t.equal((await ask('GET', '/quick', { token })).status, 200)
  },
)

void t.test('a client that leaves does not give its turn back before the work for it has ended', async (t) => {
  const { gate, counts, slow } = slowRoute(t)
  const { baseUrl, ask, registerUser } = await startApp(t, { routes: [['', slow]] })
  const { token } = await registerUser()
  const leave = Array.from({ length: 4 }, () => {
    const sent = request(`${baseUrl}/slow`, { headers: { authorization: `Bearer ${token}` } })
    sent.on('error', () => {})
    sent.end()
    return () => sent.destroy()
  })
  await waitUntil('four run', () => counts.begun === 4)
  for (const end of leave) end()
  const fifth = ask('GET', '/slow', { token })
  // Long enough for the server to notice the closed connections and the fifth request: it answers other requests meanwhile.
  for (let other = 0; other < 20; other += 1) t.equal((await ask('GET', '/nowhere')).status, 404)
  t.equal(counts.begun, 4, 'the fifth waits')
  gate.resolve()
  t.equal((await fifth).status, 200)
  t.equal(counts.begun, 5)
  for (let again = 0; again < 7; again += 1) t.equal((await ask('GET', '/slow', { token })).status, 200)
})

void t.test(
  'of routes with long replies an account has one at a time, until the reply has been sent (RL-11)',
  async (t) => {
    const open: PassThrough[] = []
    const routes: RoutePlugin = (app) => {
      app.route({
        method: 'GET',
        url: '/long',
        config: { access: 'user', reveals: 'none', isOneAtATime: true },
        handler: async (_request, reply) => {
          const body = new PassThrough()
          body.write('beginning')
          open.push(body)
          return reply.type('text/plain').send(body)
        },
      })
    }
    const { ask, registerUser, registerAdmin } = await startApp(t, { routes: [['', routes]] })
    const [user, admin] = [await registerUser(), await registerAdmin()]
    const [first, second] = [ask('GET', '/long', user), ask('GET', '/long', user)]
    const other = ask('GET', '/long', admin)
    await waitUntil('one of each runs', () => open.length === 2)
    for (let again = 0; again < 20; again += 1) t.equal((await ask('GET', '/nowhere')).status, 404)
    t.equal(open.length, 2, 'the second one waits')
    for (const body of open) body.end()
    await Promise.race([first, second])
    await waitUntil('the second one runs', () => open.length === 3)
    open[2]?.end()
    t.strictSame(
      (await Promise.all([first, second, other])).map(({ status }) => status),
      [200, 200, 200],
    )
  },
)

void t.test('the guests of a link at one address have four concurrent requests (RL-11)', async (t) => {
  const { gate, counts, slow } = slowRoute(t, { access: 'guest', guestTarget: () => ({ kind: 'link' }) })
  const services = await testServices(t)
  const guest = { shareId: 'link', browser: 'b', accountId: 'a', policyId: null, allowsDownload: false } as Guest
  const guests = { ...services.guests, admit: async () => guest, find: async () => guest }
  const { ask } = await startApp(t, { services: { ...services, guests }, routes: [['', slow]] })
  const answers = Array.from({ length: 10 }, () => ask('GET', '/slow'))
  await waitUntil('four run', () => counts.running === 4)
  for (let again = 0; again < 20; again += 1) t.equal((await ask('GET', '/nowhere')).status, 404)
  gate.resolve()
  t.strictSame([...new Set((await Promise.all(answers)).map(({ status }) => status))], [200])
  t.equal(counts.maxRunning, 4)
})
