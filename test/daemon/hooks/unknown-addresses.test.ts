import net from 'node:net'
import { once } from 'node:events'
import t from 'tap'
import { startApp } from '../../support/app.ts'

void t.test('an address without a route is 404 whatever its body is', async (t) => {
  const { app, ask } = await startApp(t, { routes: [] })
  // The client may still send a body that was answered early. Its connection would stay open for a minute.
  t.teardown(() => app.server.closeAllConnections())
  const headers = { 'content-type': 'application/json' }
  for (const body of ['{}', '{"a":', '['.repeat(500_000), `"${'x'.repeat(500_000)}"`]) {
    const answer = await ask('PUT', '/no/such/address', { body, headers })
    t.match(answer, { status: 404, json: { code: 'not_found' } }, body.slice(0, 10))
  }
})

void t.test('the answer comes before the body', async (t) => {
  const { baseUrl } = await startApp(t, { routes: [] })
  const socket = net.connect(Number(new URL(baseUrl).port), '127.0.0.1')
  t.teardown(() => socket.destroy())
  socket.write('PUT /no HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 900000\r\n\r\n{')
  const [answer] = (await once(socket.setEncoding('utf8'), 'data')) as [string]
  t.match(answer, /^HTTP\/1.1 404 /)
})
