import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { startApp, scanFilms } from '../../../support/app.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import { sampleMedia } from '../../../support/media.ts'
import { scanLibrary } from '../../../support/scan-library.ts'
import { listWholeItems } from '../../../support/whole-items.ts'

const server = await startApp(t)
const { ask, services } = server
const { idOf } = await scanFilms(t, services, {
  'A film (1999).mkv': 'film-tracks-mkv',
  'Long (2000).mkv': 'film-mkv',
})
const { token: admin } = await server.registerAdmin()
const { token } = await server.registerUser()
const id = idOf('Long')

const get = (path: string, itemId = id) => ask('GET', `/api/v1/media/${itemId}/${path}`, { token })
const put = (body: object, { as = admin, itemId = id } = {}) =>
  ask('PUT', `/api/v1/media/${itemId}/markers`, { token: as, body })

const SKIP = { skip_intro_start: null, skip_intro_end: null, skip_outro_start: null, skip_outro_end: null }

void t.test('an item without markers has empty replies and 404 for one of them', async (t) => {
  t.match(await get('markers'), { status: 200, json: { markers: [], intro: null, outro: null, chapters: [] } })
  t.match(await get('markers/intro'), { status: 404, json: { code: 'marker_not_found' } })
  t.match(await get('markers', '00000000-0000-4000-8000-000000000000'), { status: 404 })
  t.match(await get('playback-info'), { json: { intro_marker: null, markers: [], skip_button_spec: SKIP } })
})

void t.test('markers of an administrator are seen in every reply, in whole seconds inside the range', async (t) => {
  const body = {
    markers: [
      { type: 'intro', start_ms: 500, end_ms: 2500 },
      { type: 'outro', start_seconds: 3, end_seconds: 4 },
    ],
  }
  const { status, json } = await put(body)
  t.equal(status, 200)
  const intro = {
    type: 'intro',
    title: 'Intro',
    label: 'Intro',
    source: 'manual',
    confidence: 1,

    start_seconds: 1,
    end_seconds: 2,
    start: 1,
    end: 2,

    start_ms: 500,
    end_ms: 2500,
    startMs: 500,
    endMs: 2500,
  }
  t.match(json, { markers: [intro, { type: 'outro', title: 'Credits' }], intro, outro: { start_seconds: 3 } })
  t.match((await get('markers/outro')).json, { type: 'outro', start_ms: 3000, end_ms: 4000 })
  const spec = { skip_intro_start: 1, skip_intro_end: 2, skip_outro_start: 3, skip_outro_end: 4 }
  t.match((await get('playback-info')).json, {
    intro_marker: { start_seconds: 1, end_seconds: 2 },
    skip_button_spec: spec,
    markers: [{ type: 'intro' }, { type: 'outro' }],
  })
  t.match((await get('playback')).json, { playback_info: { markers: spec, outro_marker: { start_seconds: 3 } } })
  const search = (query: string) => ask('GET', `/api/v1/media/search/by-marker?${query}`, { token })
  t.match((await search('type=intro&position=1&around=0')).json, { items: [{ id }], marker_type: 'intro' })
  t.match((await search('type=credits&position=3')).json, { items: [{ id }] })
  t.match((await search('type=intro&position=500&around=10')).json, { items: [] })
  t.match((await search('type=ad&position=1')).json, { items: [] })
  t.match((await search(`type=intro&position=${Number.MAX_SAFE_INTEGER}`)).json, { items: [] })
  t.match(await search(`type=intro&position=0&around=${Number.MAX_SAFE_INTEGER}`), {
    status: 200,
    json: { items: [{ id }] },
  })
})

void t.test('a position in ticks selects the markers that contain it, the ends included', async (t) => {
  const typesAt = async (ticks: string) => {
    const { json } = await get(`markers?position=${ticks}`)
    return (json as { markers: { type: string }[] }).markers.map(({ type }) => type)
  }
  t.strictSame(await typesAt('4999999'), [])
  t.strictSame(await typesAt('5000000'), ['intro'])
  t.strictSame(await typesAt('25000000'), ['intro'])
  t.strictSame(await typesAt('25010000'), [])
  t.match((await get('playback-info?position=35000000')).json, {
    intro_marker: null,
    outro_marker: { start_seconds: 3 },
  })
  for (const bad of ['-1', 'x', '1e400', '1.5']) t.equal((await get(`markers?position=${bad}`)).status, 400, bad)
})

void t.test('only an administrator sets markers, and wrong ones are refused with the reason', async (t) => {
  t.equal((await put({ markers: [] }, { as: token })).status, 403)
  t.equal((await ask('DELETE', `/api/v1/media/${id}/markers`, { token })).status, 403)
  const refused: [object, RegExp][] = [
    [{ type: 'intro', start_ms: 2000, end_ms: 2000 }, /end after/],
    [{ type: 'intro', start_ms: 0, end_ms: 80_000 }, /after the end of the film/],
    [{ type: 'intro', start_ms: 100 }, /needs start_seconds/],
    [{ type: 'intro' }, /needs start_seconds/],
    [{ type: 'intro', start_ms: 0, end_ms: 100, none: true }, /needs start_seconds/],
  ]
  for (const [marker, reason] of refused) {
    const { status, json } = await put({ markers: [marker] })
    t.match([status, json], [400, { code: 'markers_invalid', message: reason }])
  }
  const twice = {
    markers: [
      { type: 'intro', none: true },
      { type: 'intro', none: true },
    ],
  }
  t.match(await put(twice), { status: 400, json: { message: /once/ } })
  for (const marker of [
    { type: 'ad', none: true },
    { start_ms: 1 },
    { type: 'intro', start_ms: -1, end_ms: 5 },
    { type: 'intro', start_ms: 1e12, end_ms: 2e12 },
  ])
    t.equal((await put({ markers: [marker] })).status, 400)
  t.equal((await put({})).status, 400)
  t.match((await get('markers')).json, { markers: [{ type: 'intro' }, { type: 'outro' }] }, 'nothing was stored')
})

void t.test('a part can be said not to exist; removal brings back what the file says', async (t) => {
  t.match((await put({ markers: [{ type: 'outro', none: true }] })).json, { markers: [{ type: 'intro' }], outro: null })
  t.match(await ask('DELETE', `/api/v1/media/${id}/markers`, { token: admin }), { status: 200, json: { markers: [] } })
})

void t.test('the markers of all episodes of a series come in one reply; other items have none', async (t) => {
  const folder = reachableDirectory(t)
  for (const number of [1, 2])
    await copyFile(await sampleMedia('film-tiny-mp4'), join(folder, `Show S01E0${number}.mp4`))
  const library = await scanLibrary(services, { folder, type: 'series' })
  const { items: all } = await listWholeItems(services, { libraryId: library.id, limit: 10, offset: 0 })
  const of = (type: string) => all.filter((item) => item.type === type)
  const [series, [first]] = [of('series')[0]?.id ?? '', of('episode')]
  await put({ markers: [{ type: 'intro', start_ms: 0, end_ms: 900 }] }, { itemId: first?.id ?? '' })
  for (const showId of [series, of('season')[0]?.id ?? '']) {
    const { status, json } = await ask('GET', `/api/v1/shows/${showId}/markers/bulk`, { token })
    t.equal(status, 200)
    t.match(json, {
      show_id: showId,
      episodes: [{ item_id: first?.id, intro: { start_ms: 0, end_ms: 900 }, outro: null }],
    })
  }
  for (const other of [id, 'nope'])
    t.equal((await ask('GET', `/api/v1/shows/${other}/markers/bulk`, { token })).status, 404)
})
