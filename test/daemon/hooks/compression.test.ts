import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import t from 'tap'
import { Type } from 'typebox'
import { createRoutes } from '../../../src/daemon/routes/index.ts'
import type { RouteEntry, RoutePlugin } from '../../../src/daemon/http/app-types.ts'
import { sendInBatches, createSerializer } from '../../../src/daemon/http/send-in-batches.ts'
import { startApp } from '../../support/app.ts'
import { waitUntil } from '../../support/wait-until.ts'

const TEXT = 'Ein langer Satz über Größe, damit Zeichen mehr Bytes haben. '

const serialize = createSerializer(Type.String())

/** Batches of 64 KiB; random text, so that the compressed bytes fill the buffers between server and client. */
type Batches = { made: number; isEnded: boolean }
const BATCHES = 1000
let latest: Batches = { made: 0, isEnded: false }

async function* manyBatches(failAt: number): AsyncGenerator<string[]> {
  const batches = { made: 0, isEnded: false }
  latest = batches
  try {
    for (; batches.made < BATCHES; batches.made += 1) {
      if (batches.made === failAt) throw new Error('cannot be read')
      yield [randomBytes(48 * 1024).toString('base64')]
    }
  } finally {
    batches.isEnded = true
  }
}

async function* failingBatches(): AsyncGenerator<string[]> {
  yield ['"a"']
  throw new Error('cannot be read')
}

const routes: RoutePlugin = (app) => {
  const list = Type.Object({ names: Type.Array(Type.String()) })
  const config = { access: 'public' as const, reveals: 'none' as const }
  const names = (count: number) => Array.from({ length: count }, (_, index) => `${TEXT}${index}`)
  app.route({
    method: 'GET',
    url: '/list/:count',
    config,
    schema: { params: Type.Object({ count: Type.Integer() }), response: { 200: list } },
    handler: async ({ params }) => ({ names: names(params.count) }),
  })
  app.route({
    method: 'GET',
    url: '/secret',
    config: { ...config, carriesSecrets: true },
    schema: { response: { 200: list } },
    handler: async () => ({ names: names(100) }),
  })
  app.route({
    method: 'GET',
    url: '/batches/:failAt',
    config,
    schema: { params: Type.Object({ failAt: Type.Integer() }) },
    handler: async ({ params }, reply) =>
      sendInBatches(reply, {
        key: 'rows',
        batches: manyBatches(params.failAt),
        serialize: (rows) => rows.map((row) => serialize(row)),
      }),
  })
  app.route({
    method: 'GET',
    url: '/short',
    config,
    // The compressor has not produced a byte when the second batch fails.
    handler: async (_request, reply) =>
      sendInBatches(reply, { key: 'rows', batches: failingBatches(), serialize: (rows) => rows }),
  })
  const media = Buffer.from(TEXT.repeat(200))
  const others: Record<string, (reply: { headers: (values: object) => unknown }) => unknown> = {
    '/film': (reply) => reply.headers({ 'content-type': 'video/mp4' }),
    '/segment': (reply) => reply.headers({ 'content-type': 'video/mp2t' }),
    '/playlist': (reply) => reply.headers({ 'content-type': 'application/vnd.apple.mpegurl' }),
    '/events': (reply) => reply.headers({ 'content-type': 'text/event-stream' }),
    '/file': (reply) => reply.headers({ 'content-type': 'application/json', etag: '"1"', 'accept-ranges': 'bytes' }),
    '/coded': (reply) => reply.headers({ 'content-type': 'application/json', 'content-encoding': 'other' }),
  }
  for (const [url, setHeaders] of Object.entries(others)) {
    app.route({
      method: 'GET',
      url,
      config,
      handler: async (_request, reply) => {
        setHeaders(reply)
        return reply.send(url === '/segment' ? Readable.from([media]) : media)
      },
    })
  }
}

const { baseUrl } = await startApp(t, { routes: [['', routes]] })

type Raw = { reply: IncomingMessage; body: Buffer }

/** Sends a request whose reply is not decoded. */
async function askRaw(path: string, coding?: string, method = 'GET'): Promise<Raw> {
  const headers = coding === undefined ? {} : { 'accept-encoding': coding }
  const sent = request(`${baseUrl}${path}`, { method, headers, agent: false })
  sent.end()
  const [reply] = (await once(sent, 'response')) as [IncomingMessage]
  return { reply, body: await buffer(reply) }
}

const DECODERS = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync }

void t.test('JSON above 1 KiB is compressed in each coding, with its length', async (t) => {
  const plain = await askRaw('/list/100')
  t.equal(plain.reply.headers['content-encoding'], undefined)
  t.equal(plain.reply.headers.vary, 'Accept-Encoding', 'caches learn it from the plain reply too')
  for (const [coding, decode] of Object.entries(DECODERS)) {
    const { reply, body } = await askRaw('/list/100', coding)
    t.equal(reply.headers['content-encoding'], coding)
    t.equal(reply.headers.vary, 'Accept-Encoding')
    t.equal(reply.headers['content-length'], String(body.length))
    t.ok(body.length < plain.body.length / 4, `${coding}: ${body.length}`)
    t.strictSame(decode(body), plain.body)
    const head = await askRaw('/list/100', coding, 'HEAD')
    t.equal(head.body.length, 0)
    for (const name of ['content-length', 'content-encoding', 'content-type', 'vary'] as const) {
      t.equal(head.reply.headers[name], reply.headers[name], `HEAD: ${name}`)
    }
  }
})

void t.test('small replies, other types, files and coded replies are sent unchanged', async (t) => {
  for (const path of ['/list/3', '/film', '/segment', '/playlist', '/events', '/file', '/coded', '/unknown']) {
    const [plain, asked] = [await askRaw(path), await askRaw(path, 'gzip, br, zstd')]
    t.equal(asked.reply.headers['content-encoding'], plain.reply.headers['content-encoding'], path)
    t.strictSame(asked.body, plain.body, path)
    t.equal(asked.reply.headers.vary, undefined, path)
  }
})

void t.test('a reply that carries secrets is never compressed (BREACH)', async (t) => {
  const { reply, body } = await askRaw('/secret', 'gzip, br, zstd')
  t.equal(reply.headers['content-encoding'], undefined)
  t.match(body.toString(), TEXT)
})

void t.test('a list in batches is compressed as a stream, and not made faster than the client reads', async (t) => {
  for (const coding of Object.keys(DECODERS)) {
    const sent = request(`${baseUrl}/batches/-1`, { headers: { 'accept-encoding': coding }, agent: false })
    sent.end()
    const [reply] = (await once(sent, 'response')) as [IncomingMessage]
    t.equal(reply.headers['content-encoding'], coding)
    reply.pause()
    const batches = latest
    let before = -1
    await waitUntil('no more batches are made', () => {
      const isStill = batches.made === before
      before = batches.made
      return isStill
    })
    t.ok(batches.made < BATCHES / 2, `${coding}: ${batches.made} batches fill the buffers`)
    t.notOk(batches.isEnded)
    reply.destroy()
    await waitUntil('the list is ended when the client leaves', () => batches.isEnded)
  }
})

void t.test('a list that fails on the way is an error or a broken connection, never a whole reply', async (t) => {
  for (const coding of Object.keys(DECODERS)) {
    for (const path of ['/batches/0', '/batches/1', '/short']) {
      const failed = await askRaw(path, coding).catch(() => undefined)
      if (failed === undefined && path !== '/short') continue
      t.equal(failed?.reply.statusCode, 500, path)
      t.equal(failed?.reply.headers['content-encoding'], undefined, 'the text of the error is not marked as compressed')
      t.match(JSON.parse(failed?.body.toString() ?? ''), { code: 'internal' })
    }
    await t.rejects(askRaw('/batches/500', coding), { code: 'ECONNRESET' })
  }
})

/** Keys of replies that look like secrets and are none. */
const NO_SECRETS: ReadonlySet<string> = new Set(['token_type', 'secret_status', 'secretStatus', 'api_keys'])

/** Keys that hold a secret only in the reply of this route: addresses with a token, the code of a device, and an API key. */
const SECRETS_OF_ROUTES: Readonly<Record<string, string>> = {
  '/api/v1/auth/oidc/logout': 'address',
  '/api/v1/auth/web/logout': 'address',
  '/api/v1/me/scrobblers/:service/authorize': 'code',
  '/api/v1/me/api-keys': 'key',
  '/api/v1/me/shares': 'url',
  '/api/v1/admin/invites': 'url',
}

const SECRET_NAME = /token|secret|passw|passphrase|recovery|jwt|private_?key|api_?key|device_code/i

/** All keys in a schema, at any depth, except those that are true or false. */
function keysIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const properties =
    'properties' in schema ? Object.entries(schema.properties as Record<string, { type?: unknown }>) : []
  const keys = properties.filter(([, { type }]) => type !== 'boolean').map(([key]) => key)
  return [...keys, ...Object.values(schema).flatMap(keysIn)]
}

void t.test('every route whose reply has a key like a secret declares it', async (t) => {
  const seen: { url: string; secrets: string[]; isDeclared: boolean }[] = []
  const watched = createRoutes().map(([prefix, plugin]): RouteEntry => [
    prefix,
    (scope, context) => {
      scope.addHook('onRoute', ({ url, schema, config }) => {
        const secrets = keysIn(schema?.response).filter(
          (key) => SECRETS_OF_ROUTES[url] === key || (SECRET_NAME.test(key) && !NO_SECRETS.has(key)),
        )
        seen.push({ url, secrets, isDeclared: config?.carriesSecrets === true })
      })
      plugin(scope, context)
    },
  ])
  await startApp(t, { routes: watched })
  t.ok(seen.length > 200, `${seen.length} routes`)
  t.strictSame(
    seen.filter(({ secrets, isDeclared }) => secrets.length > 0 && !isDeclared),
    [],
  )
  const declared = seen.filter(({ isDeclared }) => isDeclared)
  t.strictSame(
    declared.filter(({ secrets }) => secrets.length === 0),
    [],
    'no other route loses its compression',
  )
  for (const url of ['/api/v1/auth/login', ...Object.keys(SECRETS_OF_ROUTES)]) {
    t.ok(
      declared.some((route) => route.url === url),
      url,
    )
  }
})
