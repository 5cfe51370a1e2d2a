import { readFile } from 'node:fs/promises'
import t, { type Test } from 'tap'
import { Type } from 'typebox'
import { AppError, type ErrorKind } from '../../../src/core/platform/errors/index.ts'
import type { RoutePlugin } from '../../../src/daemon/http/app-types.ts'
import { errorBody, HTTP_STATUS_BY_ERROR_KIND } from '../../../src/daemon/hooks/errors.ts'
import { startApp } from '../../support/app.ts'

/** Throws the given error. */
const failing: RoutePlugin = (app) => {
  app.route({
    method: 'GET',
    url: '/kind/:kind',
    config: { access: 'public', reveals: 'none' },
    schema: { params: Type.Object({ kind: Type.String() }) },
    handler: async (request) => {
      const kind = request.params.kind as ErrorKind
      throw new AppError({ kind, code: `test_${kind}`, title: 'Title', message: 'Text', details: { fact: 1 } })
    },
  })
  app.route({
    method: 'GET',
    url: '/bug',
    config: { access: 'public', reveals: 'none' },
    handler: async () => {
      throw new Error('select secret from /etc/passwd')
    },
  })
  app.route({
    method: 'GET',
    url: '/file',
    config: { access: 'public', reveals: 'none' },
    handler: async () => readFile('/nowhere/at/all'),
  })
  app.route({
    method: 'GET',
    url: '/wait',
    config: { access: 'public', reveals: 'none' },
    handler: async () => {
      throw new AppError({ kind: 'limited', code: 'x', title: 'Title', retryAfterSeconds: 41 })
    },
  })
  app.route({
    method: 'GET',
    url: '/strict',
    config: { access: 'public', reveals: 'none', invalidStatus: 422 },
    schema: { querystring: Type.Object({ n: Type.Integer(), list: Type.Optional(Type.Array(Type.String())) }) },
    handler: async (request) => request.query,
  })
}

const start = (t: Test) => startApp(t, { routes: [['', failing]] })

void t.test('the kind of an error decides its status, and every body has one shape', async (t) => {
  const { ask } = await start(t)
  for (const [kind, status] of Object.entries(HTTP_STATUS_BY_ERROR_KIND)) {
    const answer = await ask('GET', `/kind/${kind}`)
    const shown = status < 500 || kind === 'busy' ? { message: 'Text', fact: 1 } : {}
    t.equal(answer.status, status, kind)
    t.same(answer.json, { error: 'Title', code: `test_${kind}`, ...shown }, `${kind}: inner facts stay inside at 5xx`)
    t.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
    t.equal(answer.headers.get('cache-control'), 'no-store')
    t.equal(answer.headers.has('retry-after'), ['limited', 'busy', 'unavailable'].includes(kind), 'Retry-After')
  }
})

void t.test('Retry-After is what the error says', async (t) => {
  const { ask } = await start(t)
  t.equal((await ask('GET', '/wait')).headers.get('retry-after'), '41')
})

void t.test('an internal error does not reveal its message', async (t) => {
  const { ask } = await start(t)
  const answer = await ask('GET', '/bug')
  t.equal(answer.status, 500)
  t.same(answer.json, { error: 'Internal Server Error', code: 'internal' })
  t.equal((await ask('GET', '/file')).status, 500, 'a missing file is not a missing database')
})

void t.test('details never hide error, code or message', (t) => {
  const details = { error: 'x', code: 'x', message: 'x', more: 1 }
  const error = new AppError({ kind: 'invalid', code: 'c', title: 'T', message: 'M', details })
  t.same(errorBody(error, 400), { error: 'T', code: 'c', message: 'M', more: 1 })
  t.end()
})

void t.test('unknown addresses are 404, broken ones 400, too long ones 414 (M14)', async (t) => {
  const { ask } = await start(t)
  t.match(await ask('GET', '/nowhere?sig=x'), { status: 404, json: { error: 'Not found', code: 'not_found' } })
  t.match(await ask('DELETE', '/bug'), { status: 404, json: { error: 'Not found', code: 'not_found' } })
  t.match(await ask('GET', '/kind/%ff'), { status: 400, json: { error: 'Bad request', code: 'bad_request' } })
  t.match(await ask('GET', `/kind/${'a'.repeat(2048)}`), { status: 500 }, 'a parameter of 2,048 characters is read')
  t.match(await ask('GET', `/kind/${'a'.repeat(2049)}`), { status: 414, json: { code: 'address_too_long' } })
})

void t.test('a route may have its own status for invalid input', async (t) => {
  const { ask } = await start(t)
  t.match(await ask('GET', '/strict?n=x'), { status: 422, json: { code: 'invalid_request', field: 'n' } })
})

void t.test('query values are read as the type that the schema names', async (t) => {
  const { ask } = await start(t)
  t.same((await ask('GET', '/strict?n=5&list=a')).json, { n: 5, list: ['a'] })
  t.same((await ask('GET', '/strict?n=5&list[]=a&list[]=b&other=1')).json, { n: 5, list: ['a', 'b'] })
  for (const query of ['', 'n=', 'n=1.5', 'n=१२', 'n=1&n=2', 'n[a]=1']) {
    t.equal((await ask('GET', `/strict?${query}`)).status, 422, query)
  }
})

void t.test('every reply carries its request’s id and refuses to be sniffed', async (t) => {
  const { ask } = await start(t)
  t.match(
    (await ask('GET', '/%ff')).headers.get('x-request-id'),
    /^[0-9a-f-]{36}$/,
    'even where no route was looked for',
  )
  const [first, second] = [
    await ask('GET', '/bug'),
    await ask('GET', '/nowhere', { headers: { 'x-request-id': 'mine' } }),
  ]
  t.match(first.headers.get('x-request-id'), /^[0-9a-f-]{36}$/)
  t.match(second.headers.get('x-request-id'), /^[0-9a-f-]{36}$/, 'an id from outside is not taken over')
  t.not(first.headers.get('x-request-id'), second.headers.get('x-request-id'))
  t.equal(first.headers.get('x-content-type-options'), 'nosniff')
  t.equal(first.headers.get('referrer-policy'), 'no-referrer')
})
