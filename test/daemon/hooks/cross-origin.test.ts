import t, { type Test } from 'tap'
import { startApp } from '../../support/app.ts'
import { testServices } from '../../support/services.ts'

const PAGE = 'https://player.example.org'

async function setup(t: Test, origins?: string) {
  const flags: Record<string, string> = origins === undefined ? {} : { 'server.cors_origins': origins }
  const server = await startApp(t, { services: await testServices(t, { flags }) })
  const send = async (method: string, path: string, headers: Record<string, string>): Promise<Response> =>
    fetch(server.baseUrl + path, { method, headers })
  const preflight = (origin: string, path = '/api/v1/media') =>
    send('OPTIONS', path, {
      origin,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization,range',
    })
  return { ...server, send, preflight }
}

const allowed = ({ headers }: Response): string | null => headers.get('access-control-allow-origin')

void t.test('without configured origins no page of another origin may read anything', async (t) => {
  const { preflight, send } = await setup(t)
  const answer = await preflight(PAGE)
  t.equal(answer.status, 404)
  t.equal(allowed(answer), null)
  t.equal(allowed(await send('GET', '/healthz', { origin: PAGE })), null)
})

void t.test('a page of a configured origin may ask and read, with a bearer and by ranges', async (t) => {
  const { preflight, send, registerUser } = await setup(t, `https://other.example.org, ${PAGE.toUpperCase()}/`)
  for (const path of ['/api/v1/media', '/hls/0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11/master.m3u8', '/nowhere']) {
    const answer = await preflight(PAGE, path)
    t.equal(answer.status, 204, path)
    t.equal(allowed(answer), PAGE)
    t.match(answer.headers.get('access-control-allow-methods'), /\bGET\b.*\bPOST\b.*\bDELETE\b/)
    t.match(answer.headers.get('access-control-allow-headers'), /authorization.*range/)
    t.equal(answer.headers.get('access-control-allow-credentials'), null)
    t.match(answer.headers.get('vary'), /Origin/)
  }
  const { token } = await registerUser()
  const read = await send('GET', '/api/v1/media', { origin: PAGE, authorization: `Bearer ${token}` })
  t.equal(read.status, 200)
  t.equal(allowed(read), PAGE)
  t.match(read.headers.get('access-control-expose-headers'), /content-range/)
  const refused = await send('GET', '/api/v1/media', { origin: PAGE })
  t.equal(refused.status, 401)
  t.equal(allowed(refused), PAGE, 'the page learns why')
})

void t.test('origins are compared exactly', async (t) => {
  const { preflight, send } = await setup(t, PAGE)
  for (const origin of [
    'https://player.example.org.evil',
    'http://player.example.org',
    'https://player.example.org:8443',
    'https://sub.player.example.org',
    'null',
  ]) {
    const answer = await preflight(origin)
    t.equal(answer.status, 404, origin)
    t.equal(allowed(answer), null)
    const read = await send('GET', '/healthz', { origin })
    t.equal(allowed(read), null)
    t.match(read.headers.get('vary'), /Origin/, 'for caches')
  }
  t.equal((await send('OPTIONS', '/api/v1/media', { origin: PAGE })).status, 404, 'no question of a browser')
})
