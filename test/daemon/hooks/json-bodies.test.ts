import net from 'node:net'
import { mock } from 'node:test'
import { fastify } from 'fastify'
import t, { type Test } from 'tap'
import { Type } from 'typebox'
import type { RoutePlugin } from '../../../src/daemon/http/app-types.ts'
import { installJsonBodies } from '../../../src/daemon/hooks/json-bodies.ts'
import { startApp } from '../../support/app.ts'

const MEBIBYTE = 1024 * 1024

/** Echoes the validated body. */
const echo: RoutePlugin = (app) => {
  app.route({
    method: 'PUT',
    url: '/like',
    config: { access: 'public', reveals: 'none' },
    schema: { body: Type.Object({ level: Type.Integer() }) },
    handler: async (request) => ({ body: request.body }),
  })
  app.route({
    method: 'POST',
    url: '/optional',
    config: { access: 'public', reveals: 'none' },
    schema: { body: Type.Object({ flag: Type.Optional(Type.Boolean()) }) },
    handler: async (request) => ({ body: request.body }),
  })
  app.route({
    method: 'POST',
    url: '/maps',
    config: { access: 'public', reveals: 'none' },
    schema: {
      body: Type.Object({
        map: Type.Optional(
          Type.Object({ inner: Type.Optional(Type.Object({})), list: Type.Optional(Type.Array(Type.Any())) }),
        ),
        list: Type.Optional(Type.Array(Type.Any())),
      }),
    },
    handler: async (request) => ({ body: request.body }),
  })
  app.route({
    method: 'POST',
    url: '/bare',
    config: { access: 'public', reveals: 'none' },
    handler: async (request) => ({ body: request.body ?? null }),
  })
}

const start = (t: Test) => startApp(t, { routes: [['', echo]] })

void t.test('values of a body are never converted (M13)', async (t) => {
  const { ask } = await start(t)
  t.match(await ask('PUT', '/like', { body: { level: 2 } }), { status: 200, json: { body: { level: 2 } } })
  for (const level of ['2', true, null, [2], {}, 2.5]) {
    const answer = await ask('PUT', '/like', { body: { level } })
    t.equal(answer.status, 400, JSON.stringify(level))
    t.match(answer.json, { error: 'Invalid request', code: 'invalid_request', field: 'level', message: /^level / })
  }
})

void t.test('an empty list is an empty object where the schema wants an object, and nowhere else', async (t) => {
  const { ask } = await start(t)
  for (const [sent, read] of [
    [{ map: [] }, { map: {} }],
    [{ map: { inner: [], list: [], other: [] } }, { map: { inner: {}, list: [], other: [] } }],
    [{ list: [] }, { list: [] }],
  ]) {
    t.same((await ask('POST', '/maps', { body: sent })).json, { body: read }, JSON.stringify(sent))
  }
  for (const wrong of [[], { map: [{}] }, { map: { inner: [[]] } }, { map: '' }, { map: null }]) {
    t.match(
      await ask('POST', '/maps', { body: wrong }),
      { status: 400, json: { code: 'invalid_request' } },
      JSON.stringify(wrong),
    )
  }
  t.same((await ask('POST', '/bare', { body: [] })).json, { body: [] }, 'without a schema')
})

void t.test('a missing field is named', async (t) => {
  const { ask } = await start(t)
  const expected = { error: 'Invalid request', code: 'invalid_request', field: 'level', message: 'level is required' }
  t.same((await ask('PUT', '/like', { body: {} })).json, expected)
  t.same((await ask('PUT', '/like', { headers: { 'content-type': 'application/json' } })).json, expected)
  t.same((await ask('PUT', '/like')).json, expected, 'and so it is when there is no body at all')
})

void t.test('undeclared fields are ignored', async (t) => {
  const { ask } = await start(t)
  t.equal((await ask('PUT', '/like', { body: { level: 1, id: 'x', is_admin: true } })).status, 200)
})

void t.test('an empty body counts as an empty object', async (t) => {
  const { ask } = await start(t)
  const headers = { 'content-type': 'application/json' }
  t.same((await ask('POST', '/optional', { headers })).json, { body: {} })
  t.same((await ask('POST', '/optional')).json, { body: {} })
  t.same((await ask('POST', '/bare', { headers })).json, { body: {} })
  t.same((await ask('POST', '/bare')).json, { body: null }, 'where no body is expected nothing is made up')
})

void t.test('keys that reach prototypes are refused (M16)', async (t) => {
  const { ask } = await start(t)
  for (const body of ['{"__proto__":{"x":1}}', '{"constructor":{"prototype":{"x":1}}}', '{"a":{"__proto__":1}}']) {
    t.match(await ask('POST', '/optional', { body }), { status: 400, json: { code: 'invalid_json' } }, body)
  }
  t.equal(({} as Record<string, unknown>)['x'], undefined)
})

void t.test('a body that is not JSON in UTF-8 is refused (IN-08)', async (t) => {
  const { ask } = await start(t)
  const bad: [claim: string, body: string][] = [
    ['cut', '{"level":1'],
    ['not JSON', 'level=1'],
    ['a byte order mark', '\uFEFF{"level":1}'],
    ['two documents', '{}{}'],
  ]
  for (const [claim, body] of bad) {
    const answer = await ask('PUT', '/like', { body })
    t.match(answer, { status: 400, json: { error: 'Invalid JSON', code: 'invalid_json' } }, claim)
  }
  for (const body of ['[]', '"x"', 'null', '5']) {
    t.match(
      await ask('PUT', '/like', { body }),
      { status: 400, json: { code: 'invalid_request', field: 'body' } },
      body,
    )
  }
})

void t.test('invalid UTF-8 is refused, not repaired (IN-08)', async (t) => {
  const { baseUrl } = await start(t)
  const body = Buffer.concat([Buffer.from('{"level":1,"x":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])
  const reply = await fetch(`${baseUrl}/like`, { method: 'PUT', headers: { 'content-type': 'application/json' }, body })
  t.equal(reply.status, 400)
  t.match(await reply.json(), { code: 'invalid_json' })
})

void t.test('size, depth and number of keys do no harm (IN-08, M15)', async (t) => {
  const { ask } = await start(t)
  const text = (length: number): string => JSON.stringify({ level: 1, text: 'x'.repeat(length) })
  const overhead = text(0).length
  t.equal((await ask('PUT', '/like', { body: text(MEBIBYTE - overhead) })).status, 200, 'exactly 1 MiB')
  const tooLarge = await ask('PUT', '/like', { body: text(MEBIBYTE - overhead + 1) })
  t.match(tooLarge, { status: 413, json: { error: 'Body too large', code: 'body_too_large' } }, 'one byte more')
  const deep = `${'['.repeat(400_000)}${']'.repeat(400_000)}`
  t.equal((await ask('PUT', '/like', { body: deep })).status, 400, '400,000 levels')
  t.equal((await ask('PUT', '/like', { body: `{"level":${deep}}` })).status, 400, 'the same inside a field')
  const keys = `{${Array.from({ length: 80_000 }, (_, index) => `"k${index}":0`).join(',')}}`
  t.equal((await ask('PUT', '/like', { body: keys })).status, 400, '80,000 keys')
})

void t.test('a body that would block the parser is refused before it is parsed (IN-08)', async (t) => {
  const { ask } = await start(t)
  const nested = (levels: number): string => `{"level":1,"x":${'['.repeat(levels)}${']'.repeat(levels)}}`
  const listed = (length: number): string => JSON.stringify({ level: 1, x: Array.from({ length }, () => ({})) })
  for (const body of [nested(999), listed(9000)]) t.equal((await ask('PUT', '/like', { body })).status, 200)
  for (const body of [nested(1000), listed(10_000)]) {
    t.match(await ask('PUT', '/like', { body }), { status: 400, json: { code: 'invalid_json' } })
  }
})

void t.test(
  'one large body is handled in each turn of the event loop, and small ones do not wait (RL-10)',
  async (t) => {
    let turn = 0
    const countTurns = (): NodeJS.Immediate =>
      setImmediate(() => {
        turn += 1
        counting = countTurns()
      })
    let counting = countTurns()
    t.teardown(() => clearImmediate(counting))
    const app = fastify()
    installJsonBodies(app)
    app.post('/', async () => ({ turn }))
    const turnsOf = async (size: number): Promise<number> => {
      const payload = JSON.stringify({ text: 'x'.repeat(size) })
      const headers = { 'content-type': 'application/json' }
      const sent = Array.from({ length: 8 }, () => app.inject({ method: 'POST', url: '/', headers, payload }))
      return new Set((await Promise.all(sent)).map((reply) => reply.json<{ turn: number }>().turn)).size
    }
    await turnsOf(10)
    t.equal(await turnsOf(40_000), 8)
    t.ok((await turnsOf(10)) < 8)
  },
)

void t.test('the large bodies of an account are parsed at a limited pace (RL-10)', async (t) => {
  const app = fastify()
  app.decorateRequest('account')
  app.addHook('onRequest', async (request) => {
    if (request.headers['x-account'] === 'ann') request.account = { id: 'ann' } as typeof request.account
  })
  installJsonBodies(app)
  const parsed: string[] = []
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  app.route({
    method: 'POST',
    url: '/',
    handler: async (request) => {
      parsed.push(String(request.headers['x-name']))
      if (request.headers['x-name'] === 'last') begin()
      return {}
    },
  })
  await app.ready()
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const send = (name: string, account: string, size: number) =>
    app.inject({
      method: 'POST',
      url: '/',
      headers: { 'content-type': 'application/json', 'x-name': name, 'x-account': account },
      payload: JSON.stringify({ text: 'x'.repeat(size) }),
    })
  const sent = [send('first', 'ann', 40_000), send('second', 'ann', 40_000), send('small', 'ann', 10)]
  sent.push(send('without account', '', 40_000), send('last', '', 40_000))
  await begun
  t.strictSame(parsed.toSorted(), ['first', 'last', 'small', 'without account'])
  mock.timers.tick(3)
  await Promise.all(sent)
  t.equal(parsed.at(-1), 'second')
})

void t.test('a body of another type is refused', async (t) => {
  const { ask } = await start(t)
  for (const type of ['text/plain', 'application/xml', 'multipart/form-data; boundary=x', 'application/jsonx', 'x']) {
    const answer = await ask('PUT', '/like', { body: '{"level":1}', headers: { 'content-type': type } })
    t.match(answer, { status: 415, json: { error: 'Unsupported media type', code: 'unsupported_media_type' } }, type)
  }
  const utf8 = { 'content-type': 'application/json; charset=utf-8' }
  t.equal((await ask('PUT', '/like', { body: '{"level":1}', headers: utf8 })).status, 200)
})

/** All bytes that the server answers until it closes the connection. */
function talk(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(bytes))
    let answer = ''
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => (answer += text))
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}

void t.test('input that is not HTTP is answered with the usual error body', async (t) => {
  const { app, baseUrl } = await start(t)
  const port = Number(new URL(baseUrl).port)
  const put = 'PUT /like HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
  t.match(await talk(port, 'nonsense\r\n\r\n'), /^HTTP\/1.1 400 [^]*"code":"bad_request"/)
  t.match(await talk(port, `${put}Content-Length: 3\r\nConnection: close\r\n\r\n{"level":1}`), /^HTTP\/1.1 400 /)
  t.match(await talk(port, `${put}X: ${'a'.repeat(20_000)}\r\n\r\n`), /^HTTP\/1.1 431 [^]*"code":"headers_too_large"/)
  app.server.requestTimeout = 100
  app.server.headersTimeout = 100
  const endless = await talk(port, `${put}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`)
  t.match(endless, /^HTTP\/1.1 408 [^]*"code":"request_timeout"/, 'a body that never ends')
})
