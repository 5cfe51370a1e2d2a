import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { queueScan, runScanJob } from '../../../../src/core/scanning/index.ts'
import { pick, scanFilms, startApp } from '../../../support/app.ts'

const server = await startApp(t)
const { ask, services } = server
const { folder, library, items, idOf } = await scanFilms(t, services, {
  'Das Boot (1981)/Das Boot (1981) cd1.mkv': 'film-tracks-mkv',
  'Das Boot (1981)/Das Boot (1981) cd2.mkv': 'film-tracks-mkv',
  'Heat (1995)/Heat (1995).mkv': 'film-tracks-mkv',
  'Heat (1995)/Heat (1995) - 1080p.mkv': 'film-mkv',
  'Heat (1995)/Heat (1995) - Uncut cd1.mkv': 'film-tracks-mkv',
  'Heat (1995)/Heat (1995) - Uncut cd2.mkv': 'film-tracks-mkv',
  'Heat (1995)/Heat (1995) - Uncut cd3.mkv': 'film-tracks-mkv',
})
const { token } = await server.registerUser()
const [boot, heat] = [idOf('Das Boot'), idOf('Heat')]

type Part = { id: string; index: number; stream_url: string; start_seconds: number; duration_seconds: number }
type Source = { id: string; item_id: string; label: string | null; duration: number; stream_url: string; parts: Part[] }

async function sourcesOf(id: string): Promise<Source[]> {
  const { json } = await ask('GET', `/api/v1/media/${id}/playback`, { token })
  return pick(json, 'playback_info', 'media_sources') as Source[]
}

const near = (value: unknown, seconds: number) => Math.abs(Number(value) - seconds) < 0.1

void t.test('a film in two files lasts as long as both, wherever its length is shown', async (t) => {
  t.equal(items.length, 2, 'parts and versions are in no list')
  const { json } = await ask('GET', `/api/v1/media/${boot}`, { token })
  t.equal(pick(json, 'item', 'duration'), 8)
  const { json: list } = await ask('GET', '/api/v1/media?sort=runtime', { token })
  t.strictSame(
    (pick(list, 'items') as { id: string; duration: number }[]).map(({ id, duration }) => [id, duration]),
    [
      [heat, 4],
      [boot, 8],
    ],
  )
  const chapters = pick((await ask('GET', `/api/v1/media/${boot}/chapters`, { token })).json, 'chapters')
  t.match(
    (chapters as { start_seconds: number; title: string }[]).map((one) => one.title),
    ['Opening', 'The rest', 'Opening', 'The rest'],
  )
  t.ok(near(pick(chapters, 3, 'start_seconds'), 5.5))
})

void t.test('playback lists the files in order, and each plays by its own address', async (t) => {
  const [source, ...others] = await sourcesOf(boot)
  t.strictSame(others, [])
  t.match(source, { id: 'default', item_id: boot, label: null })
  t.ok(near(source?.duration, 8))
  t.match(source?.parts, [
    { id: boot, index: 0, start_seconds: 0 },
    { index: 1, id: /^[0-9a-f-]{36}$/ },
  ])
  t.ok(near(source?.parts[1]?.start_seconds, 4) && near(source?.parts[1]?.duration_seconds, 4))
  for (const { stream_url: address } of source?.parts ?? []) {
    const { status, headers } = await ask('GET', address, { headers: { range: 'bytes=0-9' } })
    t.equal(status, 206)
    t.equal(headers.get('content-length'), '10')
  }
  const { json } = await ask('GET', `/api/v1/media/${boot}/playback-info`, { token })
  t.match(pick(json, 'parts'), [{ index: 0 }, { index: 1 }])
})

void t.test('each version is a source, and every route takes its id', async (t) => {
  const sources = await sourcesOf(heat)
  t.match(
    sources.map(({ id, item_id: itemId, label }) => [id === 'default' ? id : id === itemId, label]),
    [
      ['default', null],
      [true, /1080p/],
      [true, /Uncut/],
    ],
  )
  t.strictSame(
    sources.map(({ parts }) => parts.length),
    [0, 0, 3],
  )
  t.ok(near(sources[2]?.duration, 12))
  for (const { item_id: id, stream_url: address, duration } of sources) {
    t.equal((await ask('GET', address, { headers: { range: 'bytes=0-9' } })).status, 206)
    for (const route of ['', '/playback', '/playback-info', '/subtitles', '/chapters']) {
      t.equal((await ask('GET', `/api/v1/media/${id}${route}`, { token })).status, 200, route)
    }
    const { status, json } = await ask('POST', `/api/v1/media/${id}/transcode`, { token })
    t.equal(status, 200)
    const master = String(pick(json, 'master_url'))
    const { text } = await ask('GET', master.replace('master', 'media_v180p'))
    const seconds = [...text.matchAll(/#EXTINF:([\d.]+)/g)].reduce((sum, [, length]) => sum + Number(length), 0)
    if (duration < 20) t.ok(near(seconds, duration), `${seconds} of ${duration}`)
    const [own] = await sourcesOf(id)
    t.match(own, { id: 'default', item_id: id })
  }
})

void t.test('a place in a version or a part is one in the film', async (t) => {
  const { json } = await ask('POST', '/api/v1/sessions', { token, body: {} })
  const session = `/api/v1/sessions/${String(pick(json, 'session_id'))}`
  const report = (id: string, seconds: number, length?: number) =>
    ask('POST', `${session}/progress`, {
      token,
      body: {
        media_item_id: id,
        position_ticks: seconds * 1e7,
        ...(length !== undefined && { duration_ticks: length * 1e7 }),
      },
    })
  const place = async () => (await ask('GET', `${session}/progress`, { token })).json
  const [, large] = await sourcesOf(heat)
  t.equal((await report(large?.item_id ?? '', 10)).status, 200)
  t.match(await place(), { progress: { media_item_id: heat, position_ticks: 10e7 } })
  t.ok(near(Number(pick(await place(), 'progress', 'duration_ticks')) / 1e7, 20), 'of the played file')
  const { json: continued } = await ask('GET', '/api/v1/users/me/continue-watching', { token })
  t.strictSame(
    (pick(continued, 'items') as { id: string }[]).map(({ id }) => id),
    [heat],
  )

  const second = (await sourcesOf(boot))[0]?.parts[1]?.id ?? ''
  await report(second, 1, 4)
  t.match(pick(await place(), 'progress', 'media_item_id'), boot)
  t.ok(near(Number(pick(await place(), 'progress', 'position_ticks')) / 1e7, 5))
  t.ok(near(Number(pick(await place(), 'progress', 'duration_ticks')) / 1e7, 8))
  await report(boot, 3.9)
  const watched = async () => pick((await ask('GET', `/api/v1/media/${boot}`, { token })).json, 'user_data', 'watched')
  t.equal(await watched(), false, 'the end of the first file is not that of the film')
  const complete = (id: string) =>
    ask('POST', `${session}/complete`, { token, body: { media_item_id: id, reached_end: true } })
  const uncut = (await sourcesOf(heat))[2]
  await complete(uncut?.parts[1]?.id ?? '')
  t.ok(near(Number(pick(await place(), 'progress', 'position_ticks')) / 1e7, 8))
  t.match(await place(), { progress: { media_item_id: heat, status: 'paused' } })
  await complete(second)
  t.equal(await watched(), true)
})

void t.test('a file that is gone is no part any more', async (t) => {
  const second = join(folder, 'Das Boot (1981)', 'Das Boot (1981) cd2.mkv')
  await rm(second)
  const { id } = await queueScan(services, { libraryId: library.id, type: 'scan' })
  await runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, new AbortController().signal)
  t.equal(pick((await ask('GET', `/api/v1/media/${boot}`, { token })).json, 'item', 'duration'), 4)
  t.strictSame((await sourcesOf(boot))[0]?.parts, [])
})
