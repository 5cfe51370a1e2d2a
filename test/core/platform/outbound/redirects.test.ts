import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../../src/core/platform/config/index.ts'
import { createLogger } from '../../../../src/core/platform/logging/index.ts'
import { createOutbound, type OutboundRequest } from '../../../../src/core/platform/outbound/index.ts'
import { followRedirect, type RedirectTarget } from '../../../../src/core/platform/outbound/follow-redirect.ts'

const log = await createLogger(loadConfig({ environment: {} }), { level: 'emergency' })

type Seen = { path: string; headers: IncomingMessage['headers'] }

/** A server that redirects `/STATUS/ENCODED-ADDRESS` to that address, and responds to every other path with its own name. */
async function serve(t: Test, answer: (seen: Seen, response: ServerResponse) => boolean = () => false) {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    const entry = { path: request.url ?? '', headers: request.headers }
    seen.push(entry)
    if (answer(entry, response)) return
    const [, status, where] = /^\/(\d{3})\/(.*)$/.exec(entry.path) ?? []
    if (status === undefined) response.end(`here ${entry.path}`)
    else
      response.writeHead(Number(status), where === '' ? {} : { location: decodeURIComponent(where ?? '') }).end('moved')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

function request(url: string, more: Partial<OutboundRequest> = {}): OutboundRequest {
  const limits = { timeoutMilliseconds: 60_000, maximumBytes: 65_536, redirects: 3 }
  return { purpose: 'artwork', url, trust: 'configured', ...limits, ...more }
}

const outbound = createOutbound({ log })
t.teardown(() => outbound.close())

const text = ({ body }: { body: Uint8Array }): string => Buffer.from(body).toString()

void t.test('a redirect is followed if the request allows it, for absolute and relative targets', async (t) => {
  const { origin, seen } = await serve(t)
  for (const status of [301, 302, 303, 307, 308]) {
    for (const where of [`${origin}/there`, '/there', '//' + new URL(origin).host + '/there', '../there?']) {
      const reply = await outbound.send(request(`${origin}/${status}/${encodeURIComponent(where)}`))
      t.match([reply.status, text(reply)], [200, /^here .*there/], `${status} ${where}`)
    }
  }
  t.equal(seen.length, 40)
})

void t.test('the number of followed redirects is limited by the request: chains and loops end (SS-04)', async (t) => {
  const { origin, seen } = await serve(t, ({ path }, response) => {
    const left = Number(/^\/chain\/(\d+)$/.exec(path)?.[1] ?? Number.NaN)
    if (Number.isNaN(left) || left === 0) return path.startsWith('/loop') ? redirect(response, path) : false
    return redirect(response, `/chain/${left - 1}`)
  })
  t.equal(text(await outbound.send(request(`${origin}/chain/3`))), 'here /chain/0')
  for (const path of ['/chain/4', '/loop']) {
    seen.length = 0
    await t.rejects(outbound.send(request(`${origin}${path}`)), { code: 'outbound_refused', message: /redirects/ })
    t.equal(seen.length, 4, 'the first request and three more')
  }
  await t.rejects(outbound.send(request(`${origin}/chain/1`, { redirects: 0 })), { code: 'outbound_refused' })
})

function redirect(response: ServerResponse, location: string): boolean {
  response.writeHead(302, { location }).end()
  return true
}

void t.test(
  'a redirect to another host is treated as public: private addresses are not reached (SS-01, SS-04)',
  async (t) => {
    const inside = await serve(t)
    const { origin } = await serve(t)
    const forbidden = [
      inside.origin,
      inside.origin.replace('127.0.0.1', 'localhost'),
      inside.origin.replace('127.0.0.1', '2130706433'),
      inside.origin.replace('127.0.0.1', '[::ffff:127.0.0.1]'),
      'http://169.254.169.254/latest/meta-data/',
      'http://[fd00:ec2::254]/',
      'http://10.0.0.1/',
      'http://a@example.test/',
      'http://example.test:22/',
      'file:///etc/passwd',
      'gopher://example.test/',
      'javascript:alert(1)',
      'http://',
      '',
    ]
    for (const where of forbidden) {
      const url = `${origin}/302/${encodeURIComponent(where)}`
      await t.rejects(outbound.send(request(url)), { code: 'outbound_refused' }, where)
    }
    t.strictSame(inside.seen, [])
  },
)

void t.test('only redirects of a GET are followed: the body of a POST is not sent elsewhere (SS-04)', async (t) => {
  const { origin, seen } = await serve(t)
  for (const method of ['POST', 'PUT', 'DELETE'] as const) {
    for (const status of [301, 303, 307]) {
      const url = `${origin}/${status}/${encodeURIComponent('/there')}`
      await t.rejects(outbound.send(request(url, { method, body: 'b' })), { code: 'outbound_refused' })
    }
  }
  t.equal(seen.length, 9)
})

void t.test('status 300, status 305 and a redirect without address are refused', async (t) => {
  const { origin } = await serve(t)
  for (const path of ['/300/%2Fthere', '/305/%2Fthere', '/302/', '/307/']) {
    await t.rejects(
      outbound.send(request(`${origin}${path}`)),
      { code: 'outbound_refused', message: /without a valid address/ },
      path,
    )
  }
})

void t.test('credentials are not sent to another host', async (t) => {
  const { origin, seen } = await serve(t)
  const headers = {
    authorization: 'Bearer hush',
    'X-Api-Key': 'hush',
    cookie: 'a=hush',
    accept: 'image/*',
    'user-agent': 'X/1',
  }
  await outbound.send(request(`${origin}/302/%2Fthere`, { headers }))
  t.match(seen[1]?.headers, { authorization: 'Bearer hush', 'x-api-key': 'hush', 'user-agent': 'X/1' })
  const from: RedirectTarget = { url: new URL('https://a.test/x'), trust: 'configured', headers }
  const to = (location: string): RedirectTarget => followRedirect(from, { status: 302, location })
  const shown = (hop: RedirectTarget): unknown => ({ ...hop, url: hop.url.href })
  const harmless = { accept: 'image/*', 'user-agent': 'X/1' }
  t.strictSame(shown(to('https://b.test/')), { url: 'https://b.test/', trust: 'public', headers: harmless })
  t.strictSame(to('https://a.test:8443/').headers, harmless, 'another port is another server')
  t.strictSame(shown(to('https://a.test:443/y')), { url: 'https://a.test/y', trust: 'configured', headers })
  const away = to('https://b.test/')
  t.match(
    followRedirect(away, { status: 302, location: 'https://a.test/' }),
    { trust: 'public', headers: harmless },
    'for good',
  )
  t.end()
})

void t.test('https is never followed to http (SS-04)', (t) => {
  const hop = (url: string): RedirectTarget => ({ url: new URL(url), trust: 'public', headers: {} })
  for (const location of ['http://a.test/', 'http://b.test/']) {
    t.throws(() => followRedirect(hop('https://a.test/'), { status: 301, location }), { code: 'outbound_refused' })
  }
  t.match(followRedirect(hop('http://a.test/'), { status: 301, location: 'https://a.test/' }), { trust: 'public' })
  t.end()
})

void t.test('the time limit applies to all hops together, the size limit to the last one (SS-05)', async (t) => {
  const { origin } = await serve(t, ({ path }, response) => {
    if (path === '/big') response.end('x'.repeat(100))
    return path === '/big' || path === '/silent'
  })
  const slow = outbound.send(request(`${origin}/302/%2Fsilent`, { timeoutMilliseconds: 400 }))
  await t.rejects(slow, { code: 'outbound_timeout' })
  const big = outbound.send(request(`${origin}/302/%2Fbig`, { maximumBytes: 99 }))
  await t.rejects(big, { code: 'outbound_too_large' })
})
