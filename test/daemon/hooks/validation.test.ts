import { sql } from 'slonik'
import t from 'tap'
import { Type } from 'typebox'
import { createAccount } from '../../../src/core/accounts/index.ts'
import { buildApp } from '../../../src/daemon/app.ts'
import type { RoutePlugin } from '../../../src/daemon/http/app-types.ts'
import { startApp } from '../../support/app.ts'
import { makeItems } from '../../support/catalogue-items.ts'
import { testServices } from '../../support/services.ts'

const idsIn = (text: string): string[] => [...text.matchAll(/"id":"([^"]+)"/g)].map(([, id = '']) => id)

/** Routes that return what reaches their handler. */
const routes: RoutePlugin = (app) => {
  app.route({
    method: 'POST',
    url: '/declared',
    config: { access: 'public', reveals: 'none' },
    schema: {
      querystring: Type.Object({
        limit: Type.Optional(Type.Integer()),
        words: Type.Optional(Type.Array(Type.String())),
      }),
      body: Type.Object({ name: Type.Optional(Type.String()) }),
    },
    handler: async ({ query, body }) => ({ query: { ...query }, body: { ...body } }),
  })
  app.route({
    method: 'GET',
    url: '/careless',
    config: { access: 'public', reveals: 'none' },
    handler: async ({ query }) => ({ ...(query as object) }),
  })
  app.route({
    method: 'POST',
    url: '/free',
    config: { access: 'public', reveals: 'none' },
    schema: { body: Type.Unsafe<object>({ type: 'object', additionalProperties: true, properties: { a: {} } }) },
    handler: async ({ body }) => ({ body }),
  })
}

void t.test('a handler sees the keys that its route declares, and no others', async (t) => {
  const { ask } = await startApp(t, { routes: [['', routes]] })
  const answer = await ask('POST', '/declared?limit=5&words=a&words=b&userId=x&__proto__=y&constructor[]=z', {
    body: { name: 'n', id: 5, isAdmin: true },
  })
  t.strictSame(answer.json, { query: { limit: 5, words: ['a', 'b'] }, body: { name: 'n' } })
  t.strictSame((await ask('POST', '/free', { body: { a: 1, b: 2 } })).json, { body: { a: 1, b: 2 } })
  t.match(await ask('POST', '/declared', { body: [] }), { status: 400 })
})

void t.test('a route that reads a query which it does not declare answers nothing', async (t) => {
  const { ask } = await startApp(t, { routes: [['', routes]] })
  t.match(await ask('GET', '/careless?limit=5'), { status: 500, json: { code: 'internal' } })
})

void t.test('a route whose querystring schema does not list its keys stops the start', async (t) => {
  const services = await testServices(t)
  for (const querystring of [
    Type.Unsafe({ type: 'object', additionalProperties: true, properties: {} }),
    Type.Unsafe({ type: 'object' }),
    Type.Intersect([Type.Object({}), Type.Object({})]),
  ]) {
    const open: RoutePlugin = (app) =>
      void app.route({
        method: 'GET',
        url: '/x',
        config: { access: 'public', reveals: 'none' },
        schema: { querystring },
        handler: async () => 1,
      })
    await t.rejects(buildApp(services, { routes: [['', open]] }), /GET \/x has a querystring schema that does not list/)
  }
})

void t.test('no query key replaces a path parameter or the user', async (t) => {
  const { ask, services, registerUser } = await startApp(t)
  const { db } = services
  const [item = ''] = await makeItems(db, t.testdir(), [{ name: 'The Film', sortTitle: 'Film' }])
  const library = String(await db.oneFirst(sql.unsafe`select id from libraries`))
  const other = '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11'
  const { token } = await registerUser()
  t.match((await ask('GET', `/api/v1/libraries/${library}/items?libraryId=${other}`, { token })).json, { total: 1 })
  const ann = await createAccount(services, {
    username: 'ann',
    email: 'a@example.test',
    password: 'correct horse',
    isAdmin: false,
  })
  await ask('POST', `/api/v1/media/${item}/favorite`, { token })
  await db.query(sql.unsafe`update user_items set profile_id = ${ann.id}`)
  for (const name of ['accountId', 'userId', 'account_id', 'user_id']) {
    for (const path of ['/users/me/favorites', '/me/history', '/users/me/recently-watched', '/me/recommendations']) {
      const own = idsIn((await ask('GET', `/api/v1${path}`, { token })).text)
      const answer = await ask('GET', `/api/v1${path}?${name}=${ann.id}`, { token })
      t.strictSame(idsIn(answer.text), own, `${path} ${name}`)
    }
  }
})
