import { createServer, type IncomingHttpHeaders } from 'node:http'
import { json } from 'node:stream/consumers'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { createLibrary } from '../../src/core/libraries/index.ts'
import { findPluginSandbox } from '../../src/core/plugins/index.ts'
import { queueScan, runScanJob } from '../../src/core/scanning/index.ts'
import { startApp, pick } from '../support/app.ts'
import { makeItems } from '../support/catalogue-items.ts'
import { enableSample } from '../support/plugins.ts'
import { waitUntil } from '../support/wait-until.ts'

const SECOND = 10_000_000

type Received = { headers: IncomingHttpHeaders; body: Record<string, unknown> }

/** A server that takes JSON; the first answers have the given statuses. */
async function startReceiver(t: Test, statuses: number[] = []): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      received.push({ headers: request.headers, body: body as Record<string, unknown> })
      response.writeHead(statuses.shift() ?? 204).end()
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  t.teardown(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received }
}

const app = await startApp(t)
const { services } = app
const { level } = await findPluginSandbox(services)
const skip = level === 'weak' && 'the machine offers no isolation'
const { account, token } = await app.registerAdmin()
const [item = '', other = ''] = await makeItems(services.db, t.testdir(), [{}, {}])
services.plugins.start()

const post = (path: string, body: object) => app.ask('POST', `/api/v1/sessions${path}`, { token, body })

async function play(mediaItemId: string): Promise<void> {
  const { json: started } = await post('', { device_id: 'd1' })
  const session = String(pick(started, 'session_id'))
  const report = { media_item_id: mediaItemId, duration_ticks: 100 * SECOND, is_paused: false }
  t.equal((await post(`/${session}/progress`, { ...report, position_ticks: SECOND })).status, 200)
  t.equal((await post(`/${session}/complete`, { media_item_id: mediaItemId })).status, 200)
}

void t.test('the sample notifier posts a message for plays, scans and new accounts', { skip }, async (t) => {
  const { url, received } = await startReceiver(t)
  await enableSample(t, services, { name: 'phlix-plugin-chat', settings: { url, prefix: 'Home' } })
  await play(item)
  await app.ask('POST', '/api/v1/admin/users', {
    token,
    body: { username: 'bob', email: 'bob@example.org', password: 'correct horse battery' },
  })
  const library = await createLibrary(services, { name: 'Films', type: 'movie', paths: [t.testdir()] })
  const { id } = await queueScan(services, { libraryId: library.id, type: 'scan' })
  await runScanJob(services, { scanJobId: id, whenAborted: 'requeue' }, new AbortController().signal)
  await waitUntil('three messages', () => received.length >= 3)
  t.strictSame(
    received.map(({ body }) => body['text']),
    [`Home: playback of ${item} began`, 'Home: bob has an account now', 'Home: a scan added 0 and removed 0'],
  )
})

void t.test('the sample scrobbler reports a play until it is accepted, with one id', { skip }, async (t) => {
  const { url, received } = await startReceiver(t, [503])
  await enableSample(t, services, { name: 'phlix-plugin-play-log', settings: { url, token: 's3cret' } })
  await play(other)
  await waitUntil('a second attempt', async () => {
    await services.plugins.refresh()
    return received.length >= 2
  })
  const [first, second] = received
  t.equal(first?.headers.authorization, 'Bearer s3cret')
  t.strictSame(first?.body, second?.body)
  t.match(second?.body, { id: /^[0-9a-f-]{36}$/, user: account.id, item: other })
})
