import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { listItems } from '../../../../src/core/catalogue/index.ts'
import { pick, startApp } from '../../../support/app.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import { sampleMedia } from '../../../support/media.ts'
import { scanAgain, scanLibrary } from '../../../support/scan-library.ts'

async function setUp(t: Test) {
  const server = await startApp(t)
  const [films, shows] = [reachableDirectory(t), reachableDirectory(t)]
  const [song, clip] = [await sampleMedia('song-mp3'), await sampleMedia('film-tiny-mp4')]
  copyFileSync(clip, join(films, 'A film (1999).mp4'))
  copyFileSync(song, join(films, 'theme.mp3'))
  copyFileSync(clip, join(films, 'theme.mp4'))
  copyFileSync(clip, join(films, 'backdrop.mp4'))
  copyFileSync(clip, join(films, 'backdrop.webm'))
  for (const show of ['Beta', 'Alpha', 'Gamma']) {
    mkdirSync(join(shows, show, 'Season 1'), { recursive: true })
    copyFileSync(clip, join(shows, show, 'Season 1', `${show} S01E01.mp4`))
  }
  copyFileSync(song, join(shows, 'Beta', 'theme.mp3'))
  const admin = await server.registerAdmin()
  const user = await server.registerUser()
  const library = await scanLibrary(server.services, { folder: films, type: 'movie' })
  const series = await scanLibrary(server.services, { folder: shows, type: 'series' })
  const record = async (id: string) => (await server.ask('GET', `/api/v1/libraries/${id}/theme-media`, user)).json
  const rescan = (id: string) => server.ask('POST', `/api/v1/libraries/${id}/theme-media/scan`, admin)
  return { ...server, admin, user, films, shows, song, clip, library, series, record, rescan }
}

void t.test('theme media of libraries', async (t) => {
  const { ask, admin, user, films, shows, song, clip, library, series, services, baseUrl, ...server } = await setUp(t)
  const { record, rescan } = server
  const below = `/api/v1/libraries/${library.id}/theme-media`

  await t.test('a scan of the library finds song and video, which are no films', async (t) => {
    t.match(await record(library.id), {
      library_id: library.id,
      audio: {
        path: 'theme.mp3',
        duration: 3,
        format: 'mp3',
        url: /^\/stream\/theme-media\/.*\/audio\?exp=/,
      },
      video: {
        path: 'backdrop.mp4',
        duration: 2,
        width: 320,
        height: 180,
        format: 'mp4',
        url: /\/video\?exp=/,
      },
      has_theme: true,
      scanned_at: /^\d{4}-\d\d-\d\dT/,
    })
    const { items } = await listItems(services, { libraryId: library.id, limit: 50, offset: 0 })
    t.strictSame(
      items.map(({ name }) => name),
      ['A film'],
    )
  })

  await t.test('in a library of series the folder of a series counts, after the library folder itself', async (t) => {
    t.match(await record(series.id), {
      audio: { path: 'Beta/theme.mp3' },
      video: null,
      has_theme: true,
    })
    copyFileSync(song, join(shows, 'Alpha', 'theme.ogg'))
    t.match((await rescan(series.id)).json, { audio: { path: join(shows, 'Alpha', 'theme.ogg'), format: 'ogg' } })
    copyFileSync(song, join(shows, 'theme.mp3'))
    t.match((await rescan(series.id)).json, { audio: { path: join(shows, 'theme.mp3') } })
    // In a library of films only its root folder counts.
    mkdirSync(join(films, 'Sub'))
    renameSync(join(films, 'theme.mp3'), join(films, 'Sub', 'theme.mp3'))
    t.match((await rescan(library.id)).json, { audio: { path: join(films, 'theme.mp4'), format: 'mp4' } })
    const { headers } = await ask('HEAD', String(pick(await record(library.id), 'audio', 'url')))
    t.equal(headers.get('content-type'), 'audio/mp4')
    renameSync(join(films, 'Sub', 'theme.mp3'), join(films, 'theme.mp3'))
    t.match((await rescan(library.id)).json, { audio: { format: 'mp3' } })
  })

  await t.test('users without permission get the reason, for every library (AZ-02)', async (t) => {
    for (const id of [library.id, '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11', 'x']) {
      for (const [method, path] of [
        ['POST', `/api/v1/libraries/${id}/theme-media/scan`],
        ['DELETE', `/api/v1/libraries/${id}/theme-media`],
      ] as const) {
        t.match(await ask(method, path), { status: 401, json: { error: 'Unauthorized', code: 'auth.required' } })
        t.match(await ask(method, path, user), { status: 403, json: { error: 'Forbidden', code: 'auth.not_admin' } })
      }
    }
    t.match(await ask('GET', below), { status: 401, json: { code: 'auth.required' } })
    t.match(await ask('GET', below, user), { status: 200, json: { has_theme: true } })
    t.match(await ask('GET', '/api/v1/libraries/x/theme-media', user), {
      status: 404,
      json: { code: 'library_not_found' },
    })
    t.match(await rescan('x'), { status: 404, json: { code: 'library_not_found' } })
  })

  await t.test('both are streamed with ranges, with a signature for that file or a token (SU-02)', async (t) => {
    const { json } = await ask('GET', below, user)
    const [audio, video] = [String(pick(json, 'audio', 'url')), String(pick(json, 'video', 'url'))]
    const whole = await ask('GET', audio)
    t.match(
      [whole.status, whole.headers.get('content-type'), whole.headers.get('accept-ranges')],
      [200, 'audio/mpeg', 'bytes'],
    )
    const part = await fetch(`${baseUrl}${audio}`, { headers: { range: 'bytes=10-19' } })
    t.match([part.status, part.headers.get('content-range')], [206, /^bytes 10-19\/\d+$/])
    t.equal((await part.arrayBuffer()).byteLength, 10)
    const suffix = await fetch(`${baseUrl}${video}`, { headers: { range: 'bytes=-5' } })
    t.match([suffix.status, (await suffix.arrayBuffer()).byteLength], [206, 5])
    t.equal((await ask('GET', video, { headers: { range: 'bytes=99999999-' } })).status, 416)
    t.equal((await ask('HEAD', video)).status, 200)
    const bare = `/stream/theme-media/${library.id}/audio`
    t.match(await ask('GET', bare), { status: 401, json: { code: 'auth.required' } })
    t.equal((await ask('GET', bare, user)).status, 200)
    const signature = audio.slice(audio.indexOf('?'))
    for (const path of [
      `/stream/theme-media/${library.id}/video`,
      `/stream/theme-media/${series.id}/audio`,
      `/media/${library.id}/stream`,
    ]) {
      t.match(await ask('GET', `${path}${signature}`), { status: 403, json: { code: 'signature.invalid' } }, path)
    }
    t.match(await ask('GET', `/stream/theme-media/${series.id}/video`, user), {
      status: 404,
      json: { code: 'theme_media_not_found' },
    })
    t.equal((await ask('GET', `/stream/theme-media/${library.id}/picture`, user)).status, 404)
  })

  await t.test('a file that cannot be probed is served anyway; a link out of the library is not', async (t) => {
    writeFileSync(join(films, 'theme.mp3'), 'no song at all')
    t.match((await rescan(library.id)).json, { audio: { format: 'mp3', duration: null } })
    rmSync(join(films, 'theme.mp3'))
    symlinkSync(song, join(films, 'theme.mp3'))
    rmSync(join(films, 'backdrop.mp4'))
    mkdirSync(join(films, 'backdrop.mp4'))
    t.match((await rescan(library.id)).json, { audio: { format: 'mp4' }, video: { format: 'webm' } })
    // Replaced after the scan.
    rmSync(join(films, 'theme.mp4'))
    symlinkSync(clip, join(films, 'theme.mp4'))
    t.match(await ask('GET', `/stream/theme-media/${library.id}/audio`, user), { status: 403 })
  })

  await t.test('a removed theme is gone until the next scan, and its files stay', async (t) => {
    t.match(await ask('DELETE', below, admin), { status: 200, json: { message: /./ } })
    t.strictSame(await record(library.id), {
      library_id: library.id,
      audio: null,
      video: null,
      has_theme: false,
      scanned_at: null,
    })
    t.equal((await ask('GET', `/stream/theme-media/${library.id}/video`, user)).status, 404)
    t.ok(existsSync(join(films, 'backdrop.webm')))
    await scanAgain(services, library.id)
    t.match(await record(library.id), { video: { format: 'webm' }, has_theme: true })
    t.equal((await ask('DELETE', below, admin)).status, 200)
    t.equal((await ask('DELETE', below, admin)).status, 200, 'twice is no fault')
  })
})
