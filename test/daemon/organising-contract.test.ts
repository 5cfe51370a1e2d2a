import t from 'tap'
import { pick, startApp, type Answer } from '../support/app.ts'
import { makeItems } from '../support/catalogue-items.ts'

/**
 * The API of smart playlists, collections and statistics, and the calls of existing clients, against one server. The rows are in an order
 * in which each one finds the data that it needs.
 */

const server = await startApp(t)
const [admin, user] = [await server.registerAdmin(), await server.registerUser()]
const items = await makeItems(server.services.db, t.testdir(), [
  { name: 'Alpha', metadata: { genres: ['Drama'] } },
  { name: 'Beta' },
  { name: 'Gamma' },
])
const known: Record<string, string> = { first: items[0] ?? '', second: items[1] ?? '' }
const detail = await server.ask('GET', `/api/v1/media/${items[0]}`, { token: user.token })
known['library'] = String(pick(detail.json, 'library_id'))

/** Headers of the web client: it sends the content type with every POST and DELETE, with or without a body. */
const headers = { 'content-type': 'application/json' }

/** Replaces `{name}` in a path or a body by the value that an earlier row stored under that name. */
function fill(text: string): string {
  return text.replaceAll(/\{(\w+)\}/g, (all, name: string) => known[name] ?? all)
}

function ask(route: string, body?: object, token = user.token): Promise<Answer> {
  const [method = '', path = ''] = route.split(' ')
  const sent = body === undefined ? undefined : fill(JSON.stringify(body))
  return server.ask(method, `/api/v1${fill(path)}`, { token, headers, ...(sent === undefined ? {} : { body: sent }) })
}

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const SQL_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const playlist = {
  id: ID,
  name: String,
  library_id: ID,
  rules_json: Object,
  limit: Number,
  sort_by: String,
  sort_desc: Boolean,
  created_at: ISO_TIME,
  updated_at: ISO_TIME,
}
const collection = {
  id: ID,
  name: String,
  library_id: ID,
  sort_order: Number,
  is_smart: Boolean,
  created_at: SQL_TIME,
  updated_at: SQL_TIME,
}
const row = { id: ID, name: String, type: 'movie', sort_title: String, metadata: Object }
const rules = { logic: 'and', rules: [{ field: 'genre', op: 'equals', value: 'Drama' }] }

type Row = {
  /** `METHOD /path` below /api/v1. */
  route: string
  body?: object
  status: number
  /** Pattern of the body; undefined: no body. */
  reply?: object
  /** Name under which a value of the reply is stored, and the path of that value. */
  keep?: readonly [name: string, ...path: string[]]
}

const SMART_PLAYLISTS: readonly Row[] = [
  {
    route: 'POST /smart-playlists',
    body: {
      name: 'Dramas',
      library_id: '{library}',
      rules_json: JSON.stringify(rules),
      limit: 0,
      sort_by: 'addedAt',
      sort_desc: true,
    },
    status: 201,
    reply: { ...playlist, name: 'Dramas', rules_json: rules, limit: 0, sort_by: 'addedAt', sort_desc: true },
    keep: ['playlist', 'id'],
  },
  { route: 'GET /smart-playlists', status: 200, reply: { smart_playlists: [playlist] } },
  { route: 'GET /smart-playlists/{playlist}', status: 200, reply: playlist },
  {
    route: 'PUT /smart-playlists/{playlist}',
    body: { name: 'All dramas', rules_json: rules, sort_by: 'random' },
    status: 200,
    reply: { ...playlist, name: 'All dramas', sort_by: 'random' },
  },
  {
    route: 'POST /smart-playlists/{playlist}/preview',
    body: { rules_json: rules, limit: 5 },
    status: 200,
    reply: { playlist_id: ID, matched_count: 1, items: [{ id: items[0], name: 'Alpha' }] },
  },
  { route: 'POST /smart-playlists/{playlist}/preview', status: 200, reply: { matched_count: 1, items: [{}] } },
  { route: 'POST /smart-playlists', body: { name: 'x' }, status: 400, reply: { error: 'library_id is required' } },
  {
    route: 'GET /smart-playlists/00000000-0000-4000-8000-000000000000',
    status: 404,
    reply: { error: 'Smart playlist not found' },
  },
]

const COLLECTIONS: readonly Row[] = [
  {
    route: 'POST /collections',
    body: { name: 'Best of', library_id: '{library}', parent_id: null, sort_order: 3 },
    status: 201,
    reply: {
      collection: {
        ...collection,
        name: 'Best of',
        smart_playlist_id: null,
        parent_id: null,
        sort_order: 3,
        is_smart: false,
      },
    },
    keep: ['collection', 'collection', 'id'],
  },
  {
    route: 'POST /collections',
    body: { name: 'Smart', library_id: '{library}', smart_playlist_id: '{playlist}', parent_id: '{collection}' },
    status: 201,
    reply: { collection: { ...collection, is_smart: true, smart_playlist_id: ID, parent_id: ID, sort_order: 0 } },
    keep: ['smart', 'collection', 'id'],
  },
  { route: 'GET /collections', status: 200, reply: { collections: [collection, collection] } },
  { route: 'GET /libraries/{library}/collections', status: 200, reply: { collections: [collection, collection] } },
  {
    route: 'PUT /collections/{collection}',
    body: { name: 'The best' },
    status: 200,
    reply: { collection: { ...collection, name: 'The best', sort_order: 3 } },
  },
  { route: 'POST /collections/{collection}/items/{first}', status: 200, reply: { message: String } },
  {
    route: 'POST /collections/{collection}/bulk-add',
    body: { media_item_ids: ['{first}', '{second}'] },
    status: 200,
    reply: { message: String, added_count: 1 },
  },
  {
    route: 'POST /collections/{collection}/bulk-add',
    body: { query: 'gamma' },
    status: 200,
    reply: { message: String, added_count: 1 },
  },
  {
    route: 'POST /collections/{collection}/bulk-add',
    body: { media_item_ids: [] },
    status: 400,
    reply: { error: String },
  },
  {
    route: 'GET /collections/{collection}',
    status: 200,
    reply: { collection, items: [{ ...row, metadata: { poster_url: null } }, row, row], total: 3 },
  },
  { route: 'DELETE /collections/{collection}/items/{second}', status: 200, reply: { message: String } },
  { route: 'POST /collections/{smart}/refresh', status: 200, reply: { message: String } },
  { route: 'GET /collections/{smart}', status: 200, reply: { items: [{ id: items[0] }], total: 1 } },
  { route: 'POST /collections/{collection}/refresh', status: 400, reply: { error: 'Collection is not smart' } },
  { route: 'POST /collections', body: { library_id: '{library}' }, status: 400, reply: { error: 'name is required' } },
  { route: 'DELETE /collections/{smart}', status: 200, reply: { message: String } },
  { route: 'DELETE /smart-playlists/{playlist}', status: 204 },
  { route: 'DELETE /collections/{collection}', status: 200, reply: { message: String } },
  { route: 'GET /collections', status: 200, reply: { collections: [] } },
]

for (const [name, rows] of [
  ['smart playlists', SMART_PLAYLISTS],
  ['collections', COLLECTIONS],
] as const) {
  void t.test(`${name}: every documented row, with the keys that clients read`, async (t) => {
    for (const { route, body, status, reply, keep } of rows) {
      const answer = await ask(route, body)
      t.equal(answer.status, status, route)
      if (reply === undefined) t.equal(answer.text, '', `${route} has no body`)
      else t.match(answer.json, reply, `${route} ${answer.text.slice(0, 200)}`)
      if (keep !== undefined) known[keep[0]] = String(pick(answer.json, ...keep.slice(1)))
    }
  })
}

/** Routes for administrators only, with the keys that clients read. */
const STATISTICS: readonly { route: string; row: object; isDashboard: boolean }[] = [
  {
    route: 'GET /admin/stats/playback?from=-30%20days&to=today',
    row: { date: /^\d{4}-\d\d-\d\d$/, play_count: Number, total_duration: Number, completed_count: Number },
    isDashboard: false,
  },
  {
    route: 'GET /admin/stats/top-users?limit=10&since=-30%20days',
    row: { user_id: ID, total_watch_time: Number, play_count: Number },
    isDashboard: false,
  },
  {
    route: 'GET /admin/stats/top-media?limit=10&since=2020-01-01',
    row: { media_item_id: ID, play_count: Number, total_duration: Number },
    isDashboard: false,
  },
  {
    route: 'GET /admin/stats/storage',
    row: {
      id: ID,
      recorded_at: ISO_TIME,
      library_id: ID,
      media_type: 'movie',
      item_count: 3,
      total_bytes: 3000,
      transcode_cache_bytes: 0,
    },
    isDashboard: false,
  },
  {
    route: 'GET /admin/dashboard/now-playing',
    row: { user_name: 'user', username: 'user', media_title: 'Alpha', title: 'Alpha' },
    isDashboard: true,
  },
  {
    route: 'GET /admin/dashboard/top-users?limit=5&days=7',
    row: { user_name: 'user', username: 'user', total_watch_time: 95, total_watch_time_seconds: 95, play_count: 1 },
    isDashboard: true,
  },
  {
    route: 'GET /admin/dashboard/top-media?limit=5&days=7',
    row: { media_item_id: ID, media_title: 'Alpha', title: 'Alpha', play_count: 1 },
    isDashboard: true,
  },
  {
    route: 'GET /admin/dashboard/storage',
    row: { library_id: ID, item_count: 3, total_bytes: 3000 },
    isDashboard: true,
  },
  {
    route: 'GET /admin/dashboard/activity?limit=20',
    row: { id: String, action: String, actor: String, target: String, created_at: ISO_TIME, occurred_at: ISO_TIME },
    isDashboard: true,
  },
]

void t.test('statistics: every documented row and every row that dashboards read', async (t) => {
  const session = String(pick((await ask('POST /sessions', { device_id: 'x' })).json, 'session_id'))
  const ticks = { position_ticks: 950_000_000, duration_ticks: 1_000_000_000 }
  await ask(`POST /sessions/${session}/progress`, { media_item_id: '{first}', ...ticks })
  for (const { route, row: shape, isDashboard } of STATISTICS) {
    t.equal((await ask(route)).status, 403, `${route} is for administrators`)
    const { status, json, text } = await ask(route, undefined, admin.token)
    t.equal(status, 200, route)
    t.strictSame(Object.keys(json as object), isDashboard ? ['success', 'data'] : ['data'], route)
    t.match(pick(json, 'data', 0), shape, `${route} ${text.slice(0, 200)}`)
  }
})
