import type { RouteOptions } from 'fastify'
import { sql } from 'slonik'
import type { Test } from 'tap'
import { RATE_LIMIT_SURFACES } from '../../src/core/platform/config/index.ts'
import type { RouteEntry } from '../../src/daemon/http/app-types.ts'
import { createRoutes } from '../../src/daemon/routes/index.ts'
import { pick, startApp, type TestApp } from '../support/app.ts'
import { makeItems } from '../support/catalogue-items.ts'
import { HOSTILE_TEXTS, INVALID_ENCODINGS } from '../support/hostile-texts.ts'
import type { SeededRandom } from '../support/seeded-random.ts'
import { testServices } from '../support/services.ts'

/** Values for query and path parameters. */
const TEXTS = [...HOSTILE_TEXTS, "'; drop table users; --", '../../etc', ' ', 'x'.repeat(2000)].map(encodeURIComponent)

/** Values for fields of a JSON body. */
const VALUES: readonly unknown[] = [
  "'",
  "'; drop table users; --",
  '\0',
  '\uD800',
  '🎬',
  '',
  ' ',
  'x'.repeat(100_000),
  '__proto__',
  '1',
  'null',
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  -(2 ** 31) - 1,
  [],
  {},
  [[]],
  [null],
  [{}],
  ['a', 'a'],
  ['\0'],
  { a: { b: [] } },
  { id: "'" },
  { toString: 1 },
  { length: 5 },
  Array.from({ length: 1000 }, (_, index) => index),
]

/** Names that no route declares together. The domains use such names internally. */
const UNDECLARED = [
  'libraryId',
  'userId',
  'accountId',
  'itemId',
  'parentId',
  'mediaItemId',
  'itemIds',
  'ids',
  'id',
  'by',
  'input',
  'isAdmin',
  'is_admin',
  'user_id',
  'owner_id',
  'ownerId',
  'isSmart',
  'status',
  'type',
  'kind',
  'createdAt',
  'path',
  'limit',
  'offset',
  'search',
  'actors',
  'genres',
  'topLevel',
  'signal',
  'changes',
  'rules',
  'isActive',
  'secret',
]

/** Notations of a query parameter: once, twice, as list and as map. */
const FORMS: readonly ((name: string, value: string) => string)[] = [
  (name, value) => `${name}=${value}`,
  (name, value) => `${name}=${value}&${name}=${value}`,
  (name, value) => `${name}[]=${value}&${name}[]=x`,
  (name, value) => `${name}[0]=${value}`,
  (name, value) => `${name}[a]=${value}&${name}[__proto__]=${value}`,
]

type Keys = { properties?: Readonly<Record<string, unknown>> }

type Target = { method: string; url: string; query: string[]; body: string[]; parameters: string[] }

/** Registers a part of the product's routes and records their schemas. */
function recordedRoutes(targets: Target[]): RouteEntry[] {
  const namesOf = (schema: unknown): string[] => Object.keys((schema as Keys | undefined)?.properties ?? {})
  const note = ({ method, url, schema }: RouteOptions): void => {
    const parameters = [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
    const declared = { url, query: namesOf(schema?.querystring), body: namesOf(schema?.body), parameters }
    for (const word of [method].flat()) if (word !== 'HEAD') targets.push({ method: word, ...declared })
  }
  return createRoutes().map(([prefix, plugin]) => [
    prefix,
    (app, context) => {
      app.addHook('onRoute', note)
      plugin(app, context)
    },
  ])
}

/** Creates rows whose ids exist, so that handlers reach their statements. */
async function insertRows(t: Test, { ask, services }: TestApp, token: string) {
  const [itemId = ''] = await makeItems(services.db, t.testdir(), [{ name: 'The Film', sortTitle: 'Film' }])
  const libraryId = String(await services.db.oneFirst(sql.unsafe`select id from libraries`))
  const rules = { logic: 'AND', rules: [{ field: 'year', op: 'gt', value: 1990 }] }
  const collection = { name: 'Some', library_id: libraryId }
  const smart = { name: 'Some', library_id: libraryId, rules_json: rules, limit: 10 }
  const webhook = { name: 'Some', url: 'https://example.test/', secret: 'x'.repeat(40), events: ['*'] }
  const bodies: Readonly<Record<string, object>> = {
    '/api/v1/collections': collection,
    '/api/v1/smart-playlists': smart,
    '/api/v1/playlists': { name: 'Some', media_item_ids: [itemId] },
    '/api/v1/admin/webhooks': webhook,
    '/api/v1/me/requests': { type: 'movie', catalog_id: 5, title: 'A film' },
    '/api/v1/libraries': { name: 'Other', type: 'movie' },
  }
  const make = async (path: string, ...place: (string | number)[]): Promise<string> =>
    String(pick((await ask('POST', path, { token, body: bodies[path] })).json, ...place))
  const ids: [prefix: string, id: string][] = [
    ['/api/v1/libraries', libraryId],
    ['/api/v1/collections', await make('/api/v1/collections', 'collection', 'id')],
    ['/api/v1/smart-playlists', await make('/api/v1/smart-playlists', 'id')],
    ['/api/v1/admin/webhooks', await make('/api/v1/admin/webhooks', 'webhook', 'id')],
    ['/api/v1/me/requests', await make('/api/v1/me/requests', 'request', 'id')],
  ]
  return { itemId, ids, bodies }
}

const ANY_ID = '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11'

/**
 * Sends invalid values to every route: in each declared key of query and body, in each path parameter, and under undeclared names. Nothing
 * may be answered with 500, and no account may become an administrator.
 * @param valuesPerKey number of values for each key
 */
export async function injectEverywhere(
  t: Test,
  { random, valuesPerKey }: { random: SeededRandom; valuesPerKey: number },
): Promise<void> {
  const targets: Target[] = []
  const flags = Object.fromEntries(
    Object.keys(RATE_LIMIT_SURFACES).map((surface) => [`server.rate_limit.${surface}.max`, '1000000']),
  )
  const server = await startApp(t, { routes: recordedRoutes(targets), services: await testServices(t, { flags }) })
  const { ask, services } = server
  const { token } = await server.registerAdmin()
  await server.registerUser()
  const { itemId, ids, bodies } = await insertRows(t, server, token)
  t.ok(targets.length > 150, 'routes were found')
  const some = <Value>(values: readonly Value[]): Value[] => random.shuffled(values).slice(0, valuesPerKey)
  const pathOf = ({ method, url }: Target, given: Readonly<Record<string, string>> = {}): string => {
    const known = ids.find(([prefix]) => url.startsWith(prefix))?.[1] ?? itemId
    const id = method === 'DELETE' ? ANY_ID : known
    return url.replaceAll(/:(\w+)/g, (_, name: string) => given[name] ?? id).replace('*', 'x')
  }
  let asked = 0
  const check = async (method: string, path: string, body?: object): Promise<void> => {
    asked += 1
    const { status, text } = await ask(method, path, { token, body })
    if (status >= 500) {
      t.fail(`${method} ${path.slice(0, 300)} ${JSON.stringify(body)?.slice(0, 300)} was answered ${status} ${text}`)
    }
  }
  for (const target of targets) {
    const { method, url, query, body, parameters } = target
    const isWriting = method !== 'GET' && method !== 'DELETE'
    const base = bodies[url] ?? {}
    const sent = isWriting ? base : undefined
    for (const name of query) {
      for (const value of some([...TEXTS, ...INVALID_ENCODINGS])) {
        await check(method, `${pathOf(target)}?${random.pick(FORMS)(name, value)}`, sent)
      }
    }
    for (const name of isWriting ? body : []) {
      for (const value of some(VALUES)) await check(method, pathOf(target), { ...base, [name]: value })
    }
    for (const name of parameters) {
      for (const value of some([...TEXTS, ...INVALID_ENCODINGS]))
        await check(method, pathOf(target, { [name]: value }), sent)
    }
    // Several at once: undeclared keys are not validated either.
    const names = UNDECLARED.filter((name) => !query.includes(name) && !body.includes(name))
    for (let round = 0; round < valuesPerKey; round += 1) {
      const half = random.shuffled(names).slice(0, names.length / 2)
      const written = half.map((name) => random.pick(FORMS)(name, random.pick(TEXTS))).join('&')
      const extra = Object.fromEntries(half.map((name) => [name, random.pick(VALUES)]))
      await check(method, `${pathOf(target)}?${written}`, isWriting ? { ...base, ...extra } : undefined)
    }
  }
  t.comment(`${asked} requests to ${targets.length} routes`)
  t.equal(await services.db.oneFirst(sql.unsafe`select count(*) from users where is_admin`), 1)
  t.equal(await services.db.oneFirst(sql.unsafe`select count(*) from media_items where id = ${itemId}`), 1)
}
