import { once } from 'node:events'
import { request } from 'node:http'
import t, { type Test } from 'tap'
import type { RoutePlugin } from '../../../src/daemon/http/app-types.ts'
import { startApp } from '../../support/app.ts'
import { waitUntil } from '../../support/wait-until.ts'

/** A user route `/slow` that answers when the gate is open, and the number of its concurrent requests. */
function slowRoute(t: Test) {
  const gate = Promise.withResolvers<void>()
  t.teardown(() => gate.resolve())
  const counts = { begun: 0, running: 0, maxRunning: 0 }
  const slow: RoutePlugin = (app) => {
    app.route({
      method: 'GET',
      url: '/slow',
      config: { access: 'user', reveals: 'none' },
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
