import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { createAccount } from '../../../../src/core/accounts/index.ts'
import { pick, startApp } from '../../../support/app.ts'
import { makeItems } from '../../../support/catalogue-items.ts'
import { reachableDirectory } from '../../../support/directories.ts'

const UNKNOWN = '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11'
const PATH = '/api/v1/smart-playlists'
const ALL = { logic: 'and', rules: [] }

/** One daemon for all tests, with four films of one library and one of another. */
async function setup(t: Test) {
  const server = await startApp(t)
  const { services, ask } = server
  const [admin, maker] = [(await server.registerAdmin()).token, (await server.registerUser()).token]
  const account = { username: 'other', email: 'other@example.test', password: 'correct horse', isAdmin: false }
  const other = await server.signIn((await createAccount(services, account)).id)
  const items = await makeItems(services.db, reachableDirectory(t), [
    {
      name: 'Alpha',
      sortTitle: 'Alpha',
      year: 1999,
      durationSeconds: 400,
      metadata: { genres: ['Drama'], vote_average: 7.5 },
    },
    {
      name: 'Beta',
      sortTitle: 'Beta',
      year: 2001,
      durationSeconds: 300,
      metadata: { genres: ['Drama', 'War'], rating: 'R' },
    },
    {
      name: 'Gamma',
      sortTitle: 'Gamma',
      year: null,
      durationSeconds: 200,
      metadata: { genres: ['War'], rating: 'PG' },
    },
    {
      name: '100%_\\',
      sortTitle: '100',
      year: 1950,
      durationSeconds: 100,
      metadata: { director: 'Zoe', vote_average: 2 },
    },
  ])
  await makeItems(services.db, reachableDirectory(t), [{ name: 'Elsewhere' }])
  for (const [day, id] of items.entries()) {
    await services.db.query(sql.unsafe`
      update media_items set added_at = timestamptz '2026-01-01 00:00Z' + ${`${day} days`}::interval where id = ${id}`)
  }
  const libraryId = String(pick((await ask('GET', `/api/v1/media/${items[0]}`, { token: maker })).json, 'library_id'))
  const on = (method: string, path: string, body?: unknown, token = maker) =>
    ask(method, `${PATH}${path}`, { token, ...(body === undefined ? {} : { body }) })
  const make = async (fields: object = {}) =>
    String(pick((await on('POST', '', { name: 'Some', library_id: libraryId, rules_json: ALL, ...fields })).json, 'id'))
  return { ...server, admin, other, items, libraryId, on, make }
}

void t.test('smart playlists over HTTP', async (t) => {
  const { admin, other, libraryId, on, make, services, items } = await setup(t)

  await t.test('one is made, listed, read, changed and deleted', async (t) => {
    const rules = { logic: 'not', rules: [{ field: 'genre', op: 'equals', value: 'War' }] }
    const body = { name: ' Quiet ', library_id: libraryId, rules_json: JSON.stringify(rules), user_id: UNKNOWN }
    const made = await on('POST', '', body)
    t.equal(made.status, 201)
    const { id, created_at: created, updated_at: updated, ...rest } = made.json as Record<string, unknown>
    t.match([created, updated], [/^\d{4}-\d\d-\d\dT/, /^\d{4}-\d\d-\d\dT/])
    const defaults = { limit: 0, sort_by: 'addedAt', sort_desc: true }
    t.strictSame(rest, { name: 'Quiet', library_id: libraryId, rules_json: rules, ...defaults })
    t.strictSame((await on('GET', '', undefined, other)).json, { smart_playlists: [made.json] })
    t.strictSame((await on('GET', `/${String(id)}`, undefined, other)).json, made.json)
    const changes = {
      name: 'Loud',
      limit: 5,
      sort_by: 'random',
      sort_desc: false,
      rules_json: ALL,
      library_id: UNKNOWN,
    }
    const changed = await on('PUT', `/${String(id)}`, changes)
    t.match(changed, { status: 200, json: { ...changes, library_id: libraryId } })
    t.match(
      (await on('PUT', `/${String(id)}`, {})).json,
      { ...changes, library_id: libraryId },
      'absent fields are unchanged',
    )
    t.match(await on('DELETE', `/${String(id)}`), { status: 204, text: '' })
    t.match(await on('GET', `/${String(id)}`), {
      status: 404,
      json: { error: 'Smart playlist not found', code: 'smart_playlist_not_found' },
    })
  })

  await t.test('a preview uses the stored rules, or those of the request', async (t) => {
    const id = await make({ rules_json: { field: 'genre', op: 'equals', value: 'Drama' } })
    const preview = async (body?: object) => {
      const { status, json } = await on('POST', `/${id}/preview`, body)
      t.equal(status, 200)
      t.equal(pick(json, 'playlist_id'), id)
      const names = (pick(json, 'items') as { name: string }[]).map(({ name }) => name)
      t.equal(pick(json, 'matched_count'), names.length)
      return names.join(' ')
    }
    const last = '100%_\\'
    t.equal(await preview(), 'Beta Alpha', 'the newest first')
    t.equal(await preview({ limit: 1 }), 'Beta')
    t.equal(await preview({ rules_json: ALL }), `${last} Gamma Beta Alpha`, 'no items of another library')
    for (const [sort, up, down] of [
      ['addedAt', `Alpha Beta Gamma ${last}`, `${last} Gamma Beta Alpha`],
      ['title', `${last} Alpha Beta Gamma`, `Gamma Beta Alpha ${last}`],
      ['year', `${last} Alpha Beta Gamma`, `Beta Alpha ${last} Gamma`],
      ['rating', `Gamma Beta ${last} Alpha`, `Beta Gamma ${last} Alpha`],
      ['criticScore', `${last} Alpha Beta Gamma`, `Alpha ${last} Beta Gamma`],
      ['runtime', `${last} Gamma Beta Alpha`, `Alpha Beta Gamma ${last}`],
      ['director', `${last} Alpha Beta Gamma`, `${last} Alpha Beta Gamma`],
      ['genre', `Alpha Beta Gamma ${last}`, `Gamma Alpha Beta ${last}`],
    ] as const) {
      t.equal(await preview({ rules_json: ALL, sort_by: sort, sort_desc: false }), up, `${sort} up`)
      t.equal(await preview({ rules_json: ALL, sort_by: sort, sort_desc: true }), down, `${sort} down`)
    }
    const orders = new Set<string>()
    for (let times = 0; times < 40; times += 1) orders.add(await preview({ rules_json: ALL, sort_by: 'random' }))
    t.ok(orders.size > 1, 'random is another order')
    t.strictSame(
      [...new Set([...orders].map((order) => order.split(' ').toSorted().join(' ')))],
      [`${last} Alpha Beta Gamma`],
    )
    for (const value of ['%', '_', '\\', '%_\\']) {
      t.equal(
        await preview({ rules_json: { field: 'title', op: 'contains', value } }),
        last,
        `${value} is a letter (IN-10)`,
      )
    }
    t.equal(await preview({ rules_json: { field: 'addedAt', op: 'gte', value: '2026-01-04' } }), last)
  })

  await t.test('versions of a film are not chosen beside it', async (t) => {
    const id = await make({ rules_json: ALL })
    const [first = '', second = ''] = items
    await services.db.query(sql.unsafe`
      update media_items set role = 'version', primary_id = ${first}, role_order = 1 where id = ${second}`)
    t.match((await on('POST', `/${id}/preview`)).json, { matched_count: 3 })
    await services.db.query(sql.unsafe`
      update media_items set role = null, primary_id = null, role_order = null where id = ${second}`)
  })

  await t.test('a wrong field is 400 and named', async (t) => {
    const id = await make()
    for (const [fields, json] of [
      [{ name: undefined }, { error: 'name is required', code: 'missing_name' }],
      [{ name: 5 }, { error: 'name is required' }],
      [{ name: 'x'.repeat(129) }, { code: 'invalid_request', field: 'name' }],
      [{ library_id: undefined }, { error: 'library_id is required', code: 'missing_library_id' }],
      [{ rules_json: undefined }, { error: 'rules_json is required', code: 'missing_rules' }],
      [{ rules_json: '{"logic"' }, { error: 'Invalid rules', code: 'invalid_rules', field: 'rules_json', path: '' }],
      [{ rules_json: { logic: 'and', rules: [{ field: 'x' }] } }, { code: 'invalid_rules', path: 'rules[0].field' }],
      [{ limit: -1 }, { code: 'invalid_request', field: 'limit' }],
      [{ limit: 2 ** 31 }, { field: 'limit' }],
      [{ limit: '5' }, { field: 'limit' }],
      [{ limit: null }, { field: 'limit' }],
      [{ sort_by: 'name; drop table users' }, { field: 'sort_by' }],
      [{ sort_by: '__proto__' }, { field: 'sort_by' }],
      [{ sort_desc: 1 }, { field: 'sort_desc' }],
    ] as const) {
      const claim = JSON.stringify(fields).slice(0, 60)
      const body = { name: 'Some', library_id: libraryId, rules_json: ALL, ...fields }
      t.match(await on('POST', '', body), { status: 400, json }, claim)
      const [key = ''] = Object.keys(fields)
      if (Object.values(fields)[0] === undefined) continue
      t.match(await on('PUT', `/${id}`, fields), { status: 400, json }, `changing ${claim}`)
      if (key !== 'name') t.match(await on('POST', `/${id}/preview`, fields), { status: 400, json }, `trying ${claim}`)
    }
    const elsewhere = { name: 'Some', library_id: UNKNOWN, rules_json: ALL }
    t.match(await on('POST', '', elsewhere), { status: 404, json: { code: 'library_not_found' } })
  })

  await t.test('its creator and administrators change it, others read it', async (t) => {
    const id = await make({ rules_json: { field: 'title', op: 'equals', value: 'Alpha' } })
    const refused = { status: 403, json: { error: 'Not the owner', code: 'not_owner' } }
    t.match(await on('PUT', `/${id}`, { name: 'Theirs' }, other), refused)
    t.match(await on('DELETE', `/${id}`, undefined, other), refused)
    t.match(await on('POST', `/${id}/preview`, {}, other), { status: 200, json: { matched_count: 1 } })
    t.match(await on('PUT', `/${id}`, { name: 'Tidied' }, admin), { status: 200, json: { name: 'Tidied' } })
    for (const wrong of [UNKNOWN, 'x', '%00']) {
      for (const [method, path] of [
        ['GET', ''],
        ['PUT', ''],
        ['DELETE', ''],
        ['POST', '/preview'],
      ] as const) {
        const answer = await on(method, `/${wrong}${path}`, method === 'GET' ? undefined : {})
        t.match(answer, { status: 404, json: { code: 'smart_playlist_not_found' } }, `${method} ${wrong}${path}`)
      }
    }
  })
})
