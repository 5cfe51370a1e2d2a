import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { createAccount } from '../../../../src/core/accounts/index.ts'
import { pick, startApp } from '../../../support/app.ts'
import { makeItems } from '../../../support/catalogue-items.ts'

async function setup(t: Test, films = 1) {
  const server = await startApp(t)
  const { services } = server
  const items = await makeItems(
    services.db,
    t.testdir(),
    Array.from({ length: films }, () => ({})),
  )
  const libraryId = String(await services.db.oneFirst(sql.unsafe`select id from libraries`))
  const { token, account } = await server.registerUser()
  const other = { username: 'bob', email: 'bob@example.test', password: 'correct horse', isAdmin: false }
  const bob = await server.signIn((await createAccount(services, other)).id)
  return { ...server, db: services.db, items, libraryId, token, userId: account.id, bob }
}

/** The statuses of the answers, sorted. */
const statuses = (answers: readonly { status: number }[]) =>
  answers.map(({ status }) => status).toSorted((one, other) => one - other)

void t.test('an account has at most 200 smart playlists, also with concurrent requests', async (t) => {
  const { ask, db, libraryId, token, userId, bob } = await setup(t)
  await db.query(sql.unsafe`
    insert into smart_playlists (name, library_id, owner_id, rules, item_limit, sort_by, is_descending, created_at, updated_at)
    select 'P' || n, ${libraryId}, ${userId}, '{"logic": "and", "rules": []}', 0, 'title', false, now(), now() from generate_series(1, 198) n`)
  const body = { name: 'Mine', library_id: libraryId, rules_json: { logic: 'and', rules: [] } }
  const create = (by: string) => ask('POST', '/api/v1/smart-playlists', { token: by, body })
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => create(token)))
  t.strictSame(statuses(answers), [201, 201, 409, 409, 409])
  t.match(answers.find(({ status }) => status === 409)?.json, { code: 'too_many_smart_playlists', limit: 200 })
  t.equal((await create(bob)).status, 201, 'of another account')
  const made = pick(answers.find(({ status }) => status === 201)?.json, 'id')
  await ask('DELETE', `/api/v1/smart-playlists/${String(made)}`, { token })
  t.equal((await create(token)).status, 201, 'after one was deleted')

  const list = async (query: string) =>
    pick((await ask('GET', `/api/v1/smart-playlists${query}`, { token })).json, 'smart_playlists') as unknown[]
  t.equal((await list('')).length, 50)
  t.equal((await list('?limit=1000')).length, 100)
  t.equal((await list('?limit=100&offset=150')).length, 51)
  t.strictSame(await list('?limit=2&offset=1'), (await list('?limit=3')).slice(1))
  t.strictSame(await list('?offset=1000'), [])
})

void t.test('rules of a smart playlist are at most 64 KiB of JSON, in a change and a preview too', async (t) => {
  const { ask, libraryId, token } = await setup(t)
  const leaf = (characters: number) => ({ field: 'title', op: 'equals', value: 'x'.repeat(characters) })
  const size = (rules: object) => Buffer.byteLength(JSON.stringify(rules))
  const rulesOf = (last: number) => ({
    logic: 'or',
    rules: [...Array.from({ length: 62 }, () => leaf(1000)), leaf(last)],
  })
  const rest = 64 * 1024 - size(rulesOf(0))
  const [exact, larger] = [rulesOf(rest), rulesOf(rest + 1)]
  t.equal(size(exact), 64 * 1024)
  const body = { name: 'Mine', library_id: libraryId }
  const create = (rules: unknown) =>
    ask('POST', '/api/v1/smart-playlists', { token, body: { ...body, rules_json: rules } })
  const made = await create(exact)
  t.equal(made.status, 201)
  const path = `/api/v1/smart-playlists/${String(pick(made.json, 'id'))}`
  const refused = { status: 400, json: { code: 'invalid_rules', message: 'rules_json is larger than 65536 bytes' } }
  t.match(await create(larger), refused)
  t.match(await create(JSON.stringify(larger)), refused)
  t.match(await create(' '.repeat(240_000)), { status: 400, json: { code: 'invalid_rules' } })
  t.match(await create(' '.repeat(1_100_000)), { status: 413, json: { code: 'body_too_large' } })
  t.match(await ask('PUT', path, { token, body: { rules_json: larger } }), refused)
  t.match(await ask('POST', `${path}/preview`, { token, body: { rules_json: larger } }), refused)
  for (let more = 0; more < 14; more += 1) t.equal((await create(exact)).status, 201)
  t.match(await create(exact), { status: 409, json: { code: 'too_many_rules', limit: 1024 * 1024 } })
  const small = await ask('POST', '/api/v1/smart-playlists', {
    token,
    body: { ...body, name: 'Zero', rules_json: { logic: 'and', rules: [] } },
  })
  const smallPath = `/api/v1/smart-playlists/${String(pick(small.json, 'id'))}`
  t.match(await ask('PUT', smallPath, { token, body: { rules_json: exact } }), { status: 409 }, 'nor by a change')
  t.match(await ask('GET', '/api/v1/smart-playlists', { token }), {
    status: 200,
    json: { smart_playlists: [{ rules_json: exact }] },
  })
})

void t.test('an account has at most 500 collections, which hold at most 200,000 items together', async (t) => {
  const { ask, db, items, libraryId, token, userId, bob } = await setup(t, 402)
  await db.query(sql.unsafe`
    insert into collections (name, library_id, owner_id, sort_order, created_at, updated_at)
    select 'C' || n, ${libraryId}, ${userId}, n, now(), now() from generate_series(1, 499) n`)
  const create = (by: string, path = 'collections') =>
    ask('POST', `/api/v1/${path}`, { token: by, body: { name: 'Mine', library_id: libraryId } })
  const answers = await Promise.all([create(token), create(token, 'playlists'), create(token)])
  t.strictSame(statuses(answers), [201, 409, 409])
  t.match(answers.find(({ status }) => status === 409)?.json, { code: 'too_many_collections', limit: 500 })
  t.equal((await create(bob)).status, 201)

  // A statement has a time limit of five seconds.
  for (const remainder of Array.from({ length: 20 }, (_, index) => index)) {
    await db.query(sql.unsafe`
      insert into collection_items (collection_id, media_item_id, sort_order, added_at)
      select c.id, i.id, 1, now()
      from (select id, row_number() over (order by id) as place from collections where owner_id = ${userId}) c,
        (select id from media_items order by id limit 399) i
      where c.place % 20 = ${remainder}`)
  }
  const id = String(pick(answers.find(({ status }) => status === 201)?.json, 'collection', 'id'))
  const before = (await db.anyFirst(
    sql.unsafe`select media_item_id from collection_items where collection_id = ${id}`,
  )) as string[]
  const others = items.filter((item) => !before.includes(item))
  await db.query(sql.unsafe`
    insert into collection_items (collection_id, media_item_id, sort_order, added_at)
    select c.id, ${others[0] ?? ''}, 2, now() from collections c where c.owner_id = ${userId} and c.id <> ${id}`)
  const add = (itemId: string) => ask('POST', `/api/v1/collections/${id}/items/${itemId}`, { token })
  const full = { status: 409, json: { code: 'too_many_collection_items', limit: 200_000 } }
  t.equal((await add(others[0] ?? '')).status, 200, 'the last one')
  t.match(await add(others[1] ?? ''), full)
  t.match(await ask('POST', `/api/v1/collections/${id}/bulk-add`, { token, body: { media_item_ids: others } }), full)
  t.equal((await add(others[0] ?? '')).status, 200, 'one that is in it already')
  t.match((await ask('GET', `/api/v1/collections/${id}?limit=1000`, { token })).json, {
    total: 400,
    items: { length: 400 },
  })
  t.match(
    (await ask('GET', '/api/v1/collections', { token })).json,
    { collections: { length: 501 } },
    'clients ask for all',
  )
  t.match((await ask('GET', '/api/v1/collections?limit=2&offset=2', { token })).json, {
    collections: [{ name: 'C1' }, { name: 'C2' }],
  })
})

void t.test('an account has at most 100 requests that wait for a decision', async (t) => {
  const { ask, db, token, userId, bob } = await setup(t)
  const fill = (status: string, count: number) =>
    db.query(sql.unsafe`
      insert into media_requests (user_id, type, catalog_id, title, status, created_at, updated_at)
      select ${userId}, 'movie', n, 'A film', ${status}, now(), now() from generate_series(1, ${count}::int) n`)
  await fill('pending', 99)
  await fill('rejected', 50)
  const submit = (by: string) =>
    ask('POST', '/api/v1/me/requests', { token: by, body: { type: 'movie', catalog_id: 7, title: 'A film' } })
  const answers = await Promise.all([submit(token), submit(token), submit(token)])
  t.strictSame(statuses(answers), [201, 409, 409])
  t.match(answers.find(({ status }) => status === 409)?.json, { code: 'too_many_requests_pending', limit: 100 })
  t.equal((await submit(bob)).status, 201)
  t.match((await ask('GET', '/api/v1/me/requests', { token })).json, { count: 150 }, 'clients ask for all')
  t.match((await ask('GET', '/api/v1/me/requests?limit=20&offset=140', { token })).json, { count: 10 })
})

void t.test('a server has at most 100 webhooks', async (t) => {
  const { ask, db, registerAdmin } = await setup(t)
  const { token } = await registerAdmin()
  await db.query(sql.unsafe`
    with made as (
      insert into delivery_targets (kind, name, events, created_at, updated_at)
      select 'webhook', 'W' || n, '{"*"}', now(), now() from generate_series(1, 99) n returning id)
    insert into webhooks (id, url, secret) select id, 'https://hook.example/', 'secret' from made`)
  const body = { name: 'Mine', url: 'https://8.8.8.8/', secret: 's'.repeat(32), events: ['playback.started'] }
  const answers = await Promise.all([1, 2].map(() => ask('POST', '/api/v1/admin/webhooks', { token, body })))
  t.strictSame(statuses(answers), [201, 409])
  t.match(answers.find(({ status }) => status === 409)?.json, { code: 'too_many_webhooks', limit: 100 })
})
