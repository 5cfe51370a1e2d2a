import { sql } from 'slonik'
import t from 'tap'
import { createCollection } from '../../../src/core/collections/index.ts'
import { systemClock } from '../../../src/core/platform/time/index.ts'
import { createSmartPlaylist } from '../../../src/core/smart-playlists/index.ts'
import { makeItems, makeUser } from '../../support/catalogue-items.ts'
import { testDatabase } from '../../support/database.ts'
import { runPhlix, temporaryDataDirectory, type PhlixResult } from '../../support/phlix.ts'

const data = await temporaryDataDirectory(t)
const { pool: db, environment } = await testDatabase(t)
const services = { db, clock: systemClock }
const run = (...words: string[]): Promise<PhlixResult> => runPhlix([...words, '--data-dir', data], { environment })
const json = async (...words: string[]): Promise<unknown> => JSON.parse((await run(...words, '--json')).stdout)

const by = { id: await makeUser(db, 'ann'), isAdmin: false }
const items = await makeItems(db, t.testdir(), [
  { name: 'Old', year: 1950 },
  { name: 'New\u001b[31m', sortTitle: 'New', year: 2020 },
])
const [old = ''] = items
const libraryId = String(await db.oneFirst(sql.unsafe`select library_id from media_items where id = ${old}`))
const rules = { logic: 'not', rules: [{ field: 'year', op: 'lt', value: 2000 }] }
const input = { name: 'Recent', libraryId, rules, limit: 50 }
const playlist = await createSmartPlaylist(services, { by, input })
const collection = await createCollection(services, {
  by,
  input: { name: 'Recent', libraryId, smartPlaylistId: playlist.id },
})
await createCollection(services, { by, input: { name: 'Twice', libraryId } })
await createCollection(services, { by, input: { name: 'Twice', libraryId } })
for (const [days, item] of [
  [0, old],
  [1, old],
  [40, items[1] ?? ''],
] as const) {
  await db.query(sql.unsafe`
    insert into playback_records (session_id, profile_id, media_item_id, started_at, counted_at, completed_at, reached_ticks)
    values (gen_random_uuid(), ${by.id}, ${item}, now(), now() - ${days} * interval '1 day', now(), 54600000000)`)
}

void t.test('stats:playback draws the days, without colour when stdout is not a terminal', async (t) => {
  for (const words of [
    ['stats:playback', '--days', '2', '--from', '2026-01-01'],
    ['stats:top-users', '--days', '2', '--since', '-1 year'],
  ]) {
    const { code, stderr } = await run(...words)
    t.match({ code, stderr }, { code: 2, stderr: /--days/ }, 'two periods in one call')
  }
  const { code, stdout, stderr } = await run('stats:playback', '--days', '2')
  t.match({ code, stderr }, { code: 0, stderr: '' })
  const lines = stdout.trimEnd().split('\n')
  t.equal(lines.length, 3)
  t.match(lines[0], /^\d{4}-\d\d-\d\d$/)
  t.match(lines[2], /^\d{4}-\d\d-\d\d {2}█+ {2}1 play, 1 h 31 min$/)
  t.notMatch(stdout, '\u001b')
  const { series } = (await json('stats:playback', '--from', '-7 days')) as { series: Record<string, unknown>[] }
  t.equal(series.length, 8)
  t.match(series.at(-1), { play_count: 1, total_duration: 5460, completed_count: 1 })
  t.match((await run('stats:playback', '--days', '1', '--plain')).stdout, /^\S+\t1\t1\t5460\n\S+\t1\t1\t5460\n$/)
  const wrong = await run('stats:playback', '--from', 'soon', '--json')
  t.match(JSON.parse(wrong.stdout), { error: { code: 'invalid_request', details: { field: 'from' } } })
})

void t.test('stats:top-users and stats:top-media name the first, of all times or since one', async (t) => {
  t.match((await run('stats:top-media')).stdout, /^Old {2}█+ {2}2 plays, 3 h 02 min\nNew {2}█+ +1 play, 1 h 31 min\n$/)
  t.match(await json('stats:top-media', '--days', '30'), {
    media: [{ media_item_id: old, title: 'Old', media_type: 'movie', play_count: 2, total_duration: 10_920 }],
  })
  t.match((await run('stats:top-users', '--since', '-1 day')).stdout, /^ann {2}█+ {2}3 h 02 min, 2 plays\n$/)
})

void t.test('stats:rebuild recounts, and reports the corrected rows', async (t) => {
  await db.query(sql.unsafe`delete from play_days`)
  t.equal((await run('stats:rebuild')).stdout, 'Corrected 3 rows of days.\n')
})

void t.test('playlist:list, playlist:show and playlist:preview show rules and the selected items', async (t) => {
  t.match(
    (await run('playlist:list', '--library', libraryId)).stdout,
    `${playlist.id}  Recent  addedAt descending, at most 50`,
  )
  t.match(await json('playlist:list'), { smart_playlists: [{ id: playlist.id, rules_json: rules, limit: 50 }] })
  const shown = await run('playlist:show', 'Recent')
  t.equal(shown.stdout, 'Recent\naddedAt descending, at most 50\nnot\n  year lt 2000\n')
  const found = await run('playlist:preview', 'Recent')
  t.match(found, { code: 0, stderr: '1 item\n', stdout: new RegExp(`\n${items[1]}  New   movie  2020\n$`) })
  const other = JSON.stringify({ field: 'title', op: 'equals', value: 'Old' })
  t.match(await json('playlist:preview', playlist.id, '--rules', other, '--limit', '1'), {
    matched_count: 1,
    items: [{ id: old, name: 'Old', year: 1950 }],
  })
  const wrong = await run('playlist:preview', 'Recent', '--rules', '{"field":"x"}', '--json')
  t.match(JSON.parse(wrong.stdout), { error: { code: 'invalid_rules', details: { path: 'field' } } })
})

void t.test('collection:list and collection:refresh, of one or of all that are smart', async (t) => {
  t.match((await run('collection:list')).stdout, `${collection.id}  Recent  by rules`)
  t.match(await json('collection:list', '--library', libraryId), {
    collections: [{ id: collection.id, is_smart: true }, {}, {}],
  })
  t.equal((await run('collection:refresh')).stdout, 'Recent: 1 added, 0 removed\n')
  t.match(await json('collection:refresh', 'Recent'), { refreshed: [{ id: collection.id, added: 0, removed: 0 }] })
  t.match(await run('collection:refresh', 'Twice'), { code: 2, stderr: /2 collections have this name; give an id/ })
})
