import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { createAccount } from '../../../../src/core/accounts/index.ts'
import { pick, startApp } from '../../../support/app.ts'
import { makeItems } from '../../../support/catalogue-items.ts'
import { reachableDirectory } from '../../../support/directories.ts'

const UNKNOWN = '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11'
const PATH = '/api/v1/collections'
const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/

/** One daemon for all tests: two libraries, and two users in addition to the administrator. */
async function setup(t: Test) {
  const server = await startApp(t)
  const { services, ask } = server
  const [admin, maker] = [(await server.registerAdmin()).token, (await server.registerUser()).token]
  const input = { username: 'other', email: 'other@example.test', password: 'correct horse', isAdmin: false }
  const other = await server.signIn((await createAccount(services, input)).id)
  const films = ['Alpha', 'Beta', 'Gamma', 'Delta'].map((name) => ({ name, sortTitle: name }))
  const items = await makeItems(services.db, reachableDirectory(t), films)
  const [stranger = ''] = await makeItems(services.db, reachableDirectory(t), [{ name: 'Elsewhere' }])
  const libraryOf = async (id: string) =>
    String(pick((await ask('GET', `/api/v1/media/${id}`, { token: maker })).json, 'library_id'))
  const libraryId = await libraryOf(items[0] ?? '')
  const on = (method: string, path: string, body?: unknown, token = maker) =>
    ask(method, `${PATH}${path}`, { token, ...(body === undefined ? {} : { body }) })
  const make = async (fields: object = {}): Promise<string> => {
    const { json } = await on('POST', '', { name: 'Mine', library_id: libraryId, ...fields })
    return String(pick(json, 'collection', 'id'))
  }
  const content = async (id: string) => {
    const { json } = await on('GET', `/${id}`)
    return (pick(json, 'items') as { id: string }[]).map((item) => item.id)
  }
  const otherLibraryId = await libraryOf(stranger)
  return { ask, admin, maker, other, items, stranger, libraryId, otherLibraryId, on, make, content }
}

void t.test('collections over HTTP', async (t) => {
  const { ask, admin, maker, other, items, stranger, libraryId, otherLibraryId, on, make, content } = await setup(t)
  const [first = '', second = '', third = '', fourth = ''] = items

  await t.test('one is made, listed, read, changed and deleted', async (t) => {
    const made = await on('POST', '', { name: ' Mine ', library_id: libraryId, is_smart: true, owner_id: UNKNOWN })
    const row = pick(made.json, 'collection') as Record<string, unknown>
    t.equal(made.status, 201)
    t.match(row, { created_at: TIME, updated_at: TIME })
    const { id, created_at: _created, updated_at: _updated, ...rest } = row
    const fields = { name: 'Mine', library_id: libraryId, smart_playlist_id: null, parent_id: null, sort_order: 0 }
    t.strictSame(rest, { ...fields, is_smart: false, item_count: 0 })
    t.strictSame((await on('GET', '')).json, { collections: [row] })
    t.strictSame((await ask('GET', `/api/v1/libraries/${libraryId}/collections`, { token: other })).json, {
      collections: [row],
    })
    t.strictSame((await ask('GET', `/api/v1/libraries/${otherLibraryId}/collections`, { token: other })).json, {
      collections: [],
    })
    t.strictSame((await on('GET', `/${String(id)}`)).json, { collection: row, items: [], total: 0 })
    const changed = await on('PUT', `/${String(id)}`, { name: 'Ours', sort_order: 7, library_id: otherLibraryId })
    t.match(changed, { status: 200, json: { collection: { name: 'Ours', sort_order: 7, library_id: libraryId } } })
    t.strictSame(pick((await on('DELETE', `/${String(id)}`)).json), { message: 'Collection deleted' })
    t.equal((await on('GET', `/${String(id)}`)).status, 404)
  })

  await t.test('items are added, put in order and taken out', async (t) => {
    const id = await make()
    t.strictSame((await on('POST', `/${id}/items/${second}`)).json, { message: 'Item added to collection' })
    const bulk = await on('POST', `/${id}/bulk-add`, { media_item_ids: [first, second, third, first.toUpperCase()] })
    t.strictSame(bulk.json, { message: 'Items added to collection', added_count: 2 })
    t.strictSame(await content(id), [second, first, third])
    await on('PUT', `/${id}`, { media_item_ids: [third, first] })
    t.strictSame(await content(id), [third, first, second], 'those not named follow')
    await on('POST', `/${id}/items/${fourth}`)
    t.strictSame(await content(id), [third, first, second, fourth])
    const page = await on('GET', `/${id}?limit=2&offset=1`)
    t.match(page.json, {
      total: 4,
      items: [{ id: first, name: 'Alpha', metadata: { poster_url: null } }, { id: second }],
    })
    t.strictSame((await on('DELETE', `/${id}/items/${first}`)).json, { message: 'Item removed from collection' })
    t.strictSame(await content(id), [third, second, fourth])
    t.match(await on('DELETE', `/${id}/items/${first}`), { status: 404, json: { code: 'media_item_not_found' } })
  })

  await t.test('bulk-add takes all or none, and never fails on the database (AZ-12)', async (t) => {
    const id = await make()
    const many = Array.from({ length: 10_001 }, () => randomUUID())
    for (const [ids, status, code] of [
      [[first, UNKNOWN], 404, 'media_item_not_found'],
      [[first, 'x'], 404, 'media_item_not_found'],
      [[first, stranger], 400, 'item_of_other_library'],
      [[first, 1], 400, 'invalid_request'],
      [many, 400, 'invalid_request'],
      [[], 400, 'missing_items'],
      ['x', 400, 'missing_items'],
      [undefined, 400, 'missing_items'],
    ] as const) {
      const answer = await on('POST', `/${id}/bulk-add`, { media_item_ids: ids })
      t.match(answer, { status, json: { code } }, JSON.stringify(ids)?.slice(0, 60))
    }
    t.match(await on('POST', `/${id}/items/${stranger}`), { status: 400, json: { media_item_id: stranger } })
    t.strictSame(await content(id), [])
  })

  await t.test('bulk-add accepts the results of a library search', async (t) => {
    const id = await make()
    const add = (body: object) => on('POST', `/${id}/bulk-add`, body)
    const message = 'Items added to collection'
    t.strictSame((await add({ query: '  GAMMA ' })).json, { message, added_count: 1 })
    t.strictSame(
      (await add({ query: 'a' })).json,
      { message, added_count: 3 },
      'all except the item that is a member already',
    )
    t.strictSame(await content(id), [third, first, second, fourth], 'by name, at the end')
    t.strictSame((await add({ query: 'Elsewhere' })).json, { message, added_count: 0 }, 'no items of another library')
    t.strictSame((await add({ query: '%' })).json, { message, added_count: 0 })
    t.strictSame(
      (await add({ query: 'Beta', media_item_ids: [first] })).json,
      { message, added_count: 0 },
      'ids come first',
    )
    t.match(await add({ query: ' ' }), { status: 400, json: { error: 'media_item_ids is required' } })
    for (const query of [5, null, ['a'], { search: 'a' }]) {
      t.match(await add({ query }), { status: 400, json: { code: 'invalid_request', field: 'query' } })
    }
    t.match(await add({ query: 'a', media_item_ids: [] }), { status: 400, json: { code: 'missing_items' } })
    t.match(await on('POST', `/${id}/bulk-add`, { query: 'a' }, other), { status: 403 })
  })

  await t.test('a wrong field is 400 and named', async (t) => {
    for (const [fields, error, code] of [
      [{ name: undefined }, 'name is required', 'missing_name'],
      [{ name: '  ' }, 'name is required', 'missing_name'],
      [{ name: 'x'.repeat(129) }, 'Invalid request', 'invalid_request'],
      [{ name: 'a\0b' }, 'Invalid request', 'invalid_request'],
      [{ library_id: undefined }, 'library_id is required', 'missing_library_id'],
      [{ sort_order: 2 ** 40 }, 'Invalid request', 'invalid_request'],
      [{ sort_order: '1' }, 'Invalid request', 'invalid_request'],
      [{ sort_order: null }, 'Invalid request', 'invalid_request'],
      [{ parent_id: 'x' }, 'Invalid parent', 'invalid_parent'],
      [{ parent_id: UNKNOWN }, 'Invalid parent', 'invalid_parent'],
      [{ parent_id: 5 }, 'Invalid parent', 'invalid_parent'],
    ] as const) {
      const answer = await on('POST', '', { name: 'Mine', library_id: libraryId, ...fields })
      t.match(answer, { status: 400, json: { error, code } }, JSON.stringify(fields).slice(0, 60))
    }
    for (const [fields, code] of [
      [{ library_id: UNKNOWN }, 'library_not_found'],
      [{ library_id: 'x' }, 'library_not_found'],
      [{ smart_playlist_id: UNKNOWN }, 'smart_playlist_not_found'],
    ] as const) {
      const answer = await on('POST', '', { name: 'Mine', library_id: libraryId, ...fields })
      t.match(answer, { status: 404, json: { code } })
    }
  })

  await t.test('no collection contains itself, or is nested deeper than 32 levels (IN-13)', async (t) => {
    const invalid = { status: 400, json: { error: 'Invalid parent', code: 'invalid_parent' } }
    const chain = [await make({ name: 'level 1' })]
    for (let level = 2; level <= 32; level += 1) {
      chain.push(await make({ name: `level ${level}`, parent_id: chain.at(-1) }))
    }
    const [top = '', next = ''] = chain
    const bottom = chain.at(-1) ?? ''
    t.match(await on('POST', '', { name: 'deeper', library_id: libraryId, parent_id: bottom }), invalid)
    t.match(await on('PUT', `/${top}`, { parent_id: top }), invalid, 'itself')
    t.match(await on('PUT', `/${top}`, { parent_id: next }), invalid, 'its child')
    t.match(await on('PUT', `/${top}`, { parent_id: bottom }), invalid, 'far inside')
    const above = await make({ name: 'above' })
    t.match(await on('PUT', `/${top}`, { parent_id: above }), invalid, 'nested collections count too')
    const elsewhere = await make({ library_id: otherLibraryId })
    t.match(await on('PUT', `/${above}`, { parent_id: elsewhere }), invalid, 'another library')
    const [one, two] = [await make(), await make()]
    const moves = await Promise.all([
      on('PUT', `/${one}`, { parent_id: two }),
      on('PUT', `/${two}`, { parent_id: one }),
    ])
    t.strictSame(
      moves.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 400],
      'two at a time make no ring',
    )
    await on('DELETE', `/${top}`)
    t.match((await on('GET', `/${next}`)).json, { collection: { parent_id: null } }, 'the child stands at the top')
  })

  await t.test('its creator and administrators change it, others read it', async (t) => {
    const id = await make()
    const requests: [method: string, path: string, body?: unknown][] = [
      ['PUT', '', { name: 'Theirs' }],
      ['POST', `/items/${first}`],
      ['DELETE', `/items/${first}`],
      ['POST', '/bulk-add', { media_item_ids: [first] }],
      ['POST', '/refresh'],
      ['DELETE', ''],
    ]
    const before = (await on('GET', `/${id}`)).json
    for (const [method, path, body] of requests) {
      const answer = await on(method, `/${id}${path}`, body, other)
      t.match(answer, { status: 403, json: { error: 'Not the owner', code: 'not_owner' } }, `${method} ${path}`)
    }
    t.strictSame((await on('GET', `/${id}`, undefined, other)).json, before)
    t.equal((await on('PUT', `/${id}`, { name: 'Tidied' }, admin)).status, 200)
    for (const wrong of [UNKNOWN, 'x', '%00']) {
      for (const [method, path, body] of requests) {
        const answer = await on(method, `/${wrong}${path}`, body, other)
        t.match(answer, { status: 404, json: { code: 'collection_not_found' } }, `${method} ${wrong}${path}`)
      }
    }
  })

  await t.test('clients that request a playlist get a collection', async (t) => {
    const say = (body: object) => ask('POST', '/api/v1/playlists', { token: maker, body })
    t.match(await say({ name: 'Evening', library_id: libraryId }), {
      status: 201,
      json: { collection: { id: String } },
    })
    const answer = await say({ name: 'Evening', media_id: stranger })
    t.match(answer, { status: 201, json: { collection: { library_id: otherLibraryId } } })
    const evening = String(pick(answer.json, 'collection', 'id'))
    t.strictSame(await content(evening), [stranger])
    t.equal(pick(answer.json, 'collection', 'item_count'), 1)
    const add = (body: object, token = maker) => ask('POST', `/api/v1/playlists/${evening}/items`, { token, body })
    t.match(await add({ media_id: stranger }), { status: 200, json: { message: String, added_count: 0 } }, 'is in it')
    t.match(await add({ media_id: first }), { status: 400, json: { code: 'item_of_other_library' } })
    t.match(await add({ media_id: stranger }, other), { status: 403, json: { code: 'not_owner' } })
    for (const wrong of [{}, { media_id: 5 }, { media_id: null }]) {
      t.match(await add(wrong), { status: 400, json: { code: 'invalid_request', field: 'media_id' } })
    }
    for (const id of [UNKNOWN, 'x']) t.match(await add({ media_id: id }), { status: 404 }, id)
    const mine = await make()
    const address = `/api/v1/playlists/${mine}/items`
    t.match(await ask('POST', address, { token: maker, body: { media_id: first } }), { json: { added_count: 1 } })
    const { json } = await on('GET', '')
    const counts = (pick(json, 'collections') as { id: string; item_count: number }[]).map((row) => [
      row.id,
      row.item_count,
    ])
    t.match(
      new Map(counts as [string, number][]),
      new Map([
        [evening, 1],
        [mine, 1],
      ]),
      'lists say how many are inside',
    )
    t.equal((await ask('POST', '/api/v1/playlists/x/items', { token: maker, body: { media_id: first } })).status, 404)
    t.equal((await ask('POST', address, { body: { media_id: first } })).status, 401)
    t.match(await say({ name: 'Evening' }), { status: 400, json: { error: 'library_id is required' } })
    t.match(await say({ media_id: first }), { status: 400, json: { error: 'name is required' } })
    t.match(await say({ name: 'Evening', media_id: UNKNOWN }), { status: 404, json: { code: 'media_item_not_found' } })
  })

  await t.test(
    'a refresh keeps the curator’s order, adds at the end, and writes nothing when nothing is new',
    async (t) => {
      const manual = await make()
      const refused = { error: 'Collection is not smart', code: 'not_smart' }
      t.match(await on('POST', `/${manual}/refresh`), { status: 400, json: refused })
      const playlists = '/api/v1/smart-playlists'
      const rules = (names: string[]) => ({ field: 'title', op: 'in', value: names })
      const body = {
        name: 'Some',
        library_id: libraryId,
        rules_json: rules(['Alpha', 'Beta', 'Gamma']),
        sort_by: 'title',
      }
      const made = await ask('POST', playlists, { token: maker, body: { ...body, sort_desc: false } })
      const playlistId = String(pick(made.json, 'id'))
      const id = await make({ smart_playlist_id: playlistId })
      t.strictSame(await content(id), [], 'nothing happens by itself')
      t.strictSame((await on('POST', `/${id}/refresh`)).json, { message: 'Collection refreshed: 3 added, 0 removed' })
      t.strictSame(await content(id), [first, second, third])
      await on('PUT', `/${id}`, { media_item_ids: [third, second, first] })
      const before = (await on('GET', `/${id}`)).json
      t.strictSame((await on('POST', `/${id}/refresh`)).json, { message: 'Collection refreshed: 0 added, 0 removed' })
      t.strictSame((await on('GET', `/${id}`)).json, before)
      const changes = { rules_json: rules(['Gamma', 'Alpha', 'Delta']) }
      await ask('PUT', `${playlists}/${playlistId}`, { token: maker, body: changes })
      t.strictSame((await on('POST', `/${id}/refresh`)).json, { message: 'Collection refreshed: 1 added, 1 removed' })
      t.strictSame(await content(id), [third, first, fourth])
      const elsewhere = { name: 'x', library_id: otherLibraryId, smart_playlist_id: playlistId }
      t.match(await on('POST', '', elsewhere), { status: 400, json: { field: 'smart_playlist_id' } })
      t.equal((await ask('DELETE', `${playlists}/${playlistId}`, { token: maker })).status, 204)
      t.match((await on('GET', `/${id}`)).json, { collection: { is_smart: false, smart_playlist_id: null }, total: 3 })
    },
  )
})
