import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { createCollection } from '../../../src/core/collections/index.ts'
import { changeSettings } from '../../../src/core/platform/settings/index.ts'
import { submitRequest } from '../../../src/core/requests/index.ts'
import { createSmartPlaylist } from '../../../src/core/smart-playlists/index.ts'
import { createWebhook, testWebhook } from '../../../src/core/webhooks/index.ts'
import { pick, scanFilms, startApp } from '../../support/app.ts'
import { testDatabase } from '../../support/database.ts'
import { reachableDirectory } from '../../support/directories.ts'
import { startFakeTmdb, TMDB_KEY } from '../../support/fake-tmdb.ts'
import { tmdbFlags } from '../../support/metadata.ts'
import { runPhlix, temporaryDataDirectory } from '../../support/phlix.ts'
import { testServices } from '../../support/services.ts'

/** The same records, read by a command and over HTTP from one database. */

type Json = Record<string, unknown>

const database = await testDatabase(t)
const data = await temporaryDataDirectory(t)
const tmdb = await startFakeTmdb(t, [{ id: 1, kind: 'movie', title: 'A film', date: '1999-01-01' }])
const services = await testServices(t, { database, flags: { 'webhooks.allow_private': 'true', ...tmdbFlags(tmdb) } })
const { ask, registerAdmin } = await startApp(t, { services })
const admin = await registerAdmin()
const by = { id: admin.account.id, isAdmin: true }

const { library, items } = await scanFilms(t, services, { 'A film (1999).mp4': 'film-tracks-mkv' })
const itemId = items[0]?.id ?? ''

const environment = { ...database.environment, PHLIX_TMDB_URL: tmdb.baseUrl, TMDB_API_KEY: TMDB_KEY }

/** A value inside the `--json` document of a command. */
async function printed(words: readonly string[], ...path: (string | number)[]): Promise<unknown> {
  const { code, stdout, stderr } = await runPhlix([...words, '--json', '--data-dir', data], { environment })
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${stdout}${stderr}`)
  return pick(JSON.parse(stdout), ...path)
}

/** A value inside the reply of the daemon to an administrator. */
async function replied(path: string, ...keys: (string | number)[]): Promise<unknown> {
  const { status, json, text } = await ask('GET', `/api/v1${path}`, { token: admin.token })
  if (status !== 200) throw new Error(`${path} was answered ${status}: ${text}`)
  return pick(json, ...keys)
}

/** What both have, at every depth: keys of one side only are left out. Lists are compared element by element. */
function sharedOf(one: unknown, other: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length ? one.map((element, index) => sharedOf(element, other[index])) : one
  }
  if (!isObject(one) || !isObject(other)) return one
  const keys = Object.keys(one).filter((key) => Object.hasOwn(other, key))
  return Object.fromEntries(keys.map((key) => [key, sharedOf(one[key], other[key])]))
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

type Difference = {
  /** Keys of the reply that the command does not print. */
  onlyHttp?: readonly string[]
  /** Converts what the command prints to the format of the reply. */
  convert?: (printed: Json) => Json
}

/** Checks that two objects agree on all shared keys, and that the command prints every other key of the reply but the named ones. */
function agree(
  t: Test,
  claim: string,
  pair: { printed: unknown; replied: unknown },
  difference: Difference = {},
): void {
  const { onlyHttp = [], convert = (same) => same } = difference
  if (!isObject(pair.printed) || !isObject(pair.replied)) {
    t.fail(`${claim}: no object`)
    return
  }
  const [command, http] = [convert(pair.printed), pair.replied]
  const missing = Object.keys(http).filter((key) => !Object.hasOwn(command, key))
  t.strictSame(missing.toSorted(), onlyHttp.toSorted(), `${claim}: keys`)
  t.strictSame(sharedOf(command, http), sharedOf(http, command), `${claim}: values`)
}

const sqlTime = (time: unknown): unknown => (typeof time === 'string' ? time.slice(0, 19).replace('T', ' ') : time)

void t.test('a library', async (t) => {
  const pair = {
    printed: await printed(['library:list'], 'libraries', 0),
    replied: await replied(`/libraries/${library.id}`, 'library'),
  }
  agree(t, 'library', pair)
})

const PICTURES = ['poster_url', 'poster_srcset', 'backdrop_url', 'backdrop_srcset']

void t.test('an item in lists, in a preview of a smart playlist, and in detail', async (t) => {
  const row = await replied(`/media?libraryId=${library.id}`, 'items', 0)
  agree(t, 'row', { printed: await printed(['media:list'], 'items', 0), replied: row }, { onlyHttp: PICTURES })
  const input = { name: 'All', libraryId: library.id, rules: { field: 'year', op: 'gte', value: 1900 } }
  const { id } = await createSmartPlaylist(services, { by, input })
  const chosen = await printed(['playlist:preview', id], 'items', 0)
  agree(t, 'preview', { printed: chosen, replied: row }, { onlyHttp: PICTURES })

  const detail = (await replied(`/media/${itemId}`)) as Json
  const shown = (await printed(['media:show', itemId], 'item')) as Json
  const { metadata, ...described } = detail
  const { metadata: stored, ...others } = shown
  const onlyHttp = Object.keys(described).filter((key) => !Object.hasOwn(others, key))
  t.notOk(onlyHttp.includes('streams') || onlyHttp.includes('files') || onlyHttp.includes('container'))
  agree(t, 'detail', { printed: others, replied: described }, { onlyHttp })
  const { title, year, summary, ...rest } = metadata as Json
  t.strictSame([title, year, summary], [shown['name'], shown['year'], null], 'the reply has the values of the match')
  t.match(stored, rest, 'the command prints the stored values')
  t.ok((shown['streams'] as unknown[]).length > 1)
  const chapters = (await replied(`/media/${itemId}/chapters`, 'chapters')) as Json[]
  const withoutAddresses = chapters.map(({ thumbnail_url: _address, ...chapter }) => chapter)
  t.strictSame(shown['chapters'], withoutAddresses)
  t.ok(chapters.length > 0)
})

void t.test('a library that is created, with and without its first scan', async (t) => {
  for (const isScanned of [true, false]) {
    const folders = [reachableDirectory(t), reachableDirectory(t)] as const
    const flag = isScanned ? [] : ['--no-scan']
    const words = ['library:create', 'New', '--type', 'book', '--path', folders[0], ...flag]
    const made = (await printed(words)) as Json
    const body = { name: 'New', type: 'book', path: folders[1], ...(!isScanned && { scan: false }) }
    const reply = (await ask('POST', '/api/v1/libraries', { token: admin.token, body })).json
    t.equal(made['scan_job_id'] !== null, isScanned)
    t.equal(pick(reply, 'job_id') !== undefined, isScanned)
    const jobs = await Promise.all(
      [pick(made, 'library', 'id'), pick(reply, 'id')].map(
        async (id) => (await replied(`/libraries/${String(id)}/scan-history`, 'history')) as Json[],
      ),
    )
    const [byCommand, overHttp] = jobs.map((list) => list.map(({ type, status, error }) => ({ type, status, error })))
    t.strictSame(byCommand, isScanned ? [{ type: 'scan', status: 'queued', error: null }] : [])
    t.strictSame(overHttp, byCommand)
  }
})

void t.test('the renditions of an item', async (t) => {
  const ladder = (await replied(`/media/${itemId}/playback-info`, 'quality_ladder')) as Json[]
  const rungs = ((await printed(['media:explain', itemId], 'rungs')) as Json[]).filter((rung) => rung['is_kept'])
  t.ok(ladder.length > 0)
  t.equal(rungs.length, ladder.length)
  ladder.forEach((rung, index) =>
    agree(t, String(rung['id']), { printed: rungs[index], replied: rung }, { onlyHttp: ['url'] }),
  )
})

void t.test('the candidates of a match, and a match', async (t) => {
  const found = await printed(['media:match', itemId, '--search'], 'results', 0)
  agree(t, 'candidate', {
    printed: found,
    replied: await replied(`/media/${itemId}/match/search`, 'results', 0),
  })
  const path = `/api/v1/media/${itemId}/match/apply`
  const { json } = await ask('POST', path, { token: admin.token, body: { tmdb_id: 1 } })
  agree(t, 'match', { printed: await printed(['media:match', itemId, '--tmdb', '1']), replied: pick(json, 'applied') })
})

void t.test('an account and its passkeys', async (t) => {
  const user = await printed(['user:list'], 'users', 0)
  agree(t, 'account', { printed: user, replied: await replied(`/admin/users/${by.id}`, 'user') })
  await database.pool.query(sql.unsafe`
    insert into passkeys (credential_id, user_id, public_key, counter, transports, device_type, aaguid, registered_at)
    values ('\\x0102ff', ${by.id}, '\\x00', 0, '{internal}', 'platform', repeat('0', 32), '2026-01-02T03:04:05Z')`)
  const passkey = {
    printed: await printed(['user:passkeys', admin.account.username], 'passkeys', 0),
    replied: await replied('/me/webauthn/credentials', 'credentials', 0),
  }
  agree(t, 'passkey', passkey, {
    convert: (one) => ({ ...one, registered_at: Date.parse(String(one['registered_at'])) / 1000 }),
  })
})

void t.test('a scan job, whose times and counts have other forms over HTTP', async (t) => {
  const job = (await printed(['library:history', library.id], 'history', 0)) as Json
  const row = await replied(`/libraries/${library.id}/scan-history`, 'history', 0)
  const convert = (one: Json): Json => ({
    ...one,
    ...Object.fromEntries(['queued_at', 'started_at', 'completed_at'].map((key) => [key, sqlTime(one[key])])),
    // Clients expect 0 for films.
    items_added: 0,
    items_removed: 0,
  })
  agree(t, 'job', { printed: job, replied: row }, { convert })
  t.match([job['items_added'], job['added_count'], pick(row, 'added_count')], [1, 1, 1])
})

void t.test('a smart playlist and a collection', async (t) => {
  const input = { name: 'Recent', libraryId: library.id, rules: { field: 'year', op: 'gte', value: 1990 }, limit: 3 }
  const { id } = await createSmartPlaylist(services, { by, input })
  const shown = await printed(['playlist:show', id], 'smart_playlist')
  agree(t, 'playlist', { printed: shown, replied: await replied(`/smart-playlists/${id}`) })
  await createCollection(services, { by, input: { name: 'By hand', libraryId: library.id } })
  const collection = {
    printed: await printed(['collection:list'], 'collections', 0),
    replied: await replied('/collections', 'collections', 0),
  }
  agree(t, 'collection', collection, {
    convert: (one) => ({ ...one, created_at: sqlTime(one['created_at']), updated_at: sqlTime(one['updated_at']) }),
  })
})

void t.test('a request', async (t) => {
  const fields = { type: 'series', catalogId: 1396, title: 'Breaking Bad', season: 1, episode: 2 }
  const { id } = await submitRequest(services, { userId: by.id, fields })
  const request = await printed(['request:list'], 'requests', 0)
  agree(t, 'request', { printed: request, replied: await replied(`/me/requests/${id}`, 'request') })
})

void t.test('a webhook and a delivery', async (t) => {
  const input = { name: 'Home', url: 'http://127.0.0.1:9/hook', events: ['library.updated'], secret: 'secret' }
  const { id } = await createWebhook(services, input)
  await testWebhook(services, id, new AbortController().signal)
  const webhook = await printed(['webhook:list'], 'webhooks', 0)
  agree(t, 'webhook', { printed: webhook, replied: await replied(`/admin/webhooks/${id}`, 'webhook') })
  const delivery = await printed(['webhook:deliveries'], 'deliveries', 0)
  agree(t, 'delivery', { printed: delivery, replied: await replied('/admin/webhooks/logs', 'logs', 0) })
})

void t.test('plays', async (t) => {
  await database.pool.query(sql.unsafe`
    insert into playback_records (session_id, profile_id, media_item_id, started_at, counted_at, completed_at, reached_ticks)
    values (gen_random_uuid(), ${by.id}, ${itemId}, now(), now(), now(), 54600000000)`)
  for (const [command, route, key] of [
    ['stats:playback', '/admin/stats/playback?from=-30 days', 'series'],
    ['stats:top-users', '/admin/stats/top-users', 'users'],
    ['stats:top-media', '/admin/stats/top-media', 'media'],
  ] as const) {
    const words = command === 'stats:playback' ? [command, '--days', '30'] : [command]
    const [print, reply] = [(await printed(words, key)) as Json[], (await replied(route, 'data')) as Json[]]
    t.equal(print.length, reply.length, command)
    agree(t, command, { printed: print.at(-1), replied: reply.at(-1) })
    t.match(print.at(-1), { play_count: 1 })
  }
  for (const [command, route, key, onlyHttp] of [
    ['stats:top-users', 'top-users', 'users', ['user_name', 'total_watch_time_seconds']],
    ['stats:top-media', 'top-media', 'media', ['media_title']],
  ] as const) {
    const reply = await replied(`/admin/dashboard/${route}`, 'data', 0)
    agree(t, `dashboard ${command}`, { printed: await printed([command], key, 0), replied: reply }, { onlyHttp })
  }
})

void t.test('a setting, also a secret one', async (t) => {
  const [plain, secret] = ['metadata.overwrite_existing', 'metadata.tvdb.api_key']
  await changeSettings(services, { [plain]: false, [secret]: 'tvdb-key' })
  const form = (await replied('/admin/settings', 'data')) as Record<'settings' | 'meta', Record<string, Json>>
  for (const path of [plain, secret]) {
    const printedSetting = await printed(
      ['config:set', path, path === plain ? 'off' : 'tvdb-key', '--no-check'],
      'setting',
    )
    const { origin, restart_required } = form.meta[path] ?? {}
    t.match(printedSetting, { path, value: form.settings[path], origin, restart_required }, path)
  }
  t.equal(form.settings[secret], '***')
})
