import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { listItems } from '../../../../src/core/catalogue/index.ts'
import { pick, startApp } from '../../../support/app.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import { sampleMedia } from '../../../support/media.ts'
import { scanAgain, scanLibrary } from '../../../support/scan-library.ts'

const DAY = 24 * 3600 * 1000

/** Every suffix of extras beside the film, and files in its folder of trailers; one server for all tests. */
async function setUp(t: Test) {
  const server = await startApp(t)
  const folder = reachableDirectory(t)
  const clip = await sampleMedia('film-tiny-mp4')
  const put = (path: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    copyFileSync(clip, join(folder, path))
  }
  const suffixes = ['trailer', 'teaser', 'clip', 'featurette', 'behind-the-scenes', 'interview', 'deleted-scene']
  put('Film (2001)/Film (2001).mp4')
  for (const suffix of suffixes) put(`Film (2001)/Film (2001)-${suffix}.mp4`)
  put('Film (2001)/Trailers/International.mp4')
  put('Film (2001)/Trailers/Film (2001)-interview2.mp4')
  put('Film (2001)/backdrop.mp4')
  put('Other (2002)/Other (2002).mp4')
  const library = await scanLibrary(server.services, { folder, type: 'movie' })
  const { items } = await listItems(server.services, { libraryId: library.id, limit: 50, offset: 0 })
  const idOf = (title: string): string => items.find(({ name }) => name === title)?.id ?? ''
  const { token } = await server.registerUser()
  const get = async (id: string, path: string) => server.ask('GET', `/api/v1/media/${id}/${path}`, { token })
  const setTrailer = async (id: string, url: unknown) => {
    const change = JSON.stringify({ trailer_url: url })
    await server.services.db.query(sql.unsafe`
      update media_items set metadata = metadata || ${change}::jsonb where id = ${id}`)
  }
  return { ...server, folder, library, items, idOf, put, get, setTrailer }
}

const titlesOf = (json: unknown, key = 'extras'): unknown[] =>
  (pick(json, key) as { title: string }[]).map(({ title }) => title)

void t.test('extras and trailers', async (t) => {
  const { ask, services, folder, library, items, idOf, put, get, setTrailer } = await setUp(t)
  const film = idOf('Film')

  await t.test('suffixes give type and title, trailers come first, and none is a film', async (t) => {
    t.strictSame(items.map(({ name }) => name).toSorted(), ['Film', 'Other'])
    const { status, json } = await get(film, 'extras')
    t.equal(status, 200)
    t.equal(pick(json, 'count'), 9)
    t.strictSame(
      (pick(json, 'extras') as { type: string; title: string }[]).map(({ type, title }) => `${type}: ${title}`),
      [
        'trailer: International',
        'trailer: Teaser',
        'trailer: Trailer',
        'featurette: Featurette',
        'behind_the_scenes: Behind the Scenes',
        'interview: Interview',
        'interview: Interview 2',
        'deleted_scene: Deleted Scene',
        'clip: Clip',
      ],
    )
    t.match(pick(json, 'extras', 2), {
      id: /^[\da-f-]{36}$/,
      media_item_id: film,
      source: 'local',
      duration: 2,
      quality: 480,
      is_local: true,
      file_path: 'Film (2001)/Film (2001)-trailer.mp4',
    })
    const trailers = await get(film, 'trailers')
    t.match(trailers.json, { count: 3 })
    t.strictSame(titlesOf(trailers.json, 'trailers'), ['International', 'Teaser', 'Trailer'])
    const other = await get(film, 'extras/other')
    t.match(other.json, { count: 6, extras: [{ type: 'featurette' }] })
  })

  await t.test('a local one is played by its signed address, and by no other signature', async (t) => {
    const { json } = await get(film, 'trailers')
    const [first, second] = [String(pick(json, 'trailers', 0, 'url')), String(pick(json, 'trailers', 1, 'url'))]
    t.match(first, /^\/media\/[\da-f-]{36}\/stream\?exp=\d+&sig=[\w-]{88}$/)
    t.match(await ask('GET', first, { headers: { range: 'bytes=0-3' } }), { status: 206 })
    t.equal((await ask('GET', `${first.split('?')[0]}?${second.split('?')[1]}`)).status, 403)
  })

  await t.test('one from a provider is listed where no local one has its title', async (t) => {
    const other = idOf('Other')
    t.strictSame((await get(other, 'extras')).json, { extras: [], count: 0 })
    const url = 'https://www.youtube.com/watch?v=abcdefghijk'
    await setTrailer(film, url)
    await setTrailer(other, url)
    await scanAgain(services, library.id)
    const { json } = await get(other, 'extras')
    t.match(json, {
      count: 1,
      extras: [
        {
          id: /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
          media_item_id: other,
          title: 'Trailer',
        },
      ],
    })
    const remote = {
      type: 'trailer',
      source: 'remote',
      is_local: false,
      url,
      quality: 1080,
      duration: 0,
      file_path: '',
    }
    t.match(pick(json, 'extras', 0), remote)
    t.strictSame(titlesOf((await get(film, 'trailers')).json, 'trailers'), ['International', 'Teaser', 'Trailer'])
    t.notOk((await get(film, 'trailers')).text.includes(url), 'the local one wins')
  })

  await t.test('a URL that pages must not open is not listed as a trailer', async (t) => {
    for (const url of [
      'javascript:alert(1)',
      'file:///etc/passwd',
      '//x',
      'x',
      7,
      null,
      `https://x/${'y'.repeat(3000)}`,
    ]) {
      await setTrailer(idOf('Other'), url)
      await scanAgain(services, library.id)
      t.match((await get(idOf('Other'), 'extras')).json, { count: 0 }, String(url).slice(0, 30))
    }
  })

  await t.test('a list is good for a day, or until the next scan', async (t) => {
    const other = idOf('Other')
    const before = await get(other, 'extras')
    await setTrailer(other, 'https://vimeo.com/1234567')
    t.strictSame(titlesOf((await get(other, 'extras')).json), titlesOf(before.json), 'nothing watches')
    await services.db.query(sql.unsafe`
      update item_extras set listed_at = ${sql.timestamp(new Date(services.clock.now().getTime() - DAY - 1000))}`)
    t.match((await get(other, 'extras')).json, { count: 1, extras: [{ url: 'https://vimeo.com/1234567' }] })

    put('Other (2002)/Other (2002)-trailer.mp4')
    t.match((await get(other, 'extras')).json, { extras: [{ is_local: false }] })
    await scanAgain(services, library.id)
    t.match((await get(other, 'extras')).json, { count: 1, extras: [{ is_local: true }] })
    rmSync(join(folder, 'Other (2002)/Other (2002)-trailer.mp4'))
    await scanAgain(services, library.id)
    t.match((await get(other, 'extras')).json, { count: 1, extras: [{ is_local: false }] })
  })

  await t.test('requests without a token are refused, and unknown items have no extras (AZ-01, AZ-11)', async (t) => {
    for (const path of ['extras', 'trailers', 'extras/other']) {
      t.match(await ask('GET', `/api/v1/media/${film}/${path}`), { status: 401, json: { code: 'auth.required' } })
      for (const id of ['x', '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11', "' or 1=1"]) {
        t.match(await get(encodeURIComponent(id), path), { status: 404, json: { code: 'media_item_not_found' } })
      }
    }
  })
})
