import { mkdirSync, writeFileSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { createLibrary } from '../../../src/core/libraries/index.ts'
import { queueScan, runScanJob } from '../../../src/core/scanning/index.ts'
import { scanThemeMedia } from '../../../src/core/theme-media/index.ts'
import { createPathFormatter } from '../../../src/daemon/http/path-formatter.ts'
import { pick, startApp, type TestApp } from '../../support/app.ts'
import { reachableDirectory } from '../../support/directories.ts'
import { sampleMedia } from '../../support/media.ts'

/** Films with an extra and a theme, books and photos below one folder. */
async function fill(t: Test, { services }: TestApp): Promise<string> {
  const folder = reachableDirectory(t)
  for (const name of ['films/A Film (1999)/trailers', 'books/An Author', 'photos/2020']) {
    mkdirSync(join(folder, name), { recursive: true })
  }
  const film = await sampleMedia('film-tiny-mp4')
  await copyFile(film, join(folder, 'films/A Film (1999)/A Film (1999).mp4'))
  await copyFile(film, join(folder, 'films/A Film (1999)/trailers/One.mp4'))
  await copyFile(film, join(folder, 'films/theme.mp4'))
  writeFileSync(join(folder, 'books/An Author/A Book.epub'), 'no book')
  await copyFile(await sampleMedia('photo-jpg'), join(folder, 'photos/2020/a.jpg'))
  for (const [type, name] of [
    ['movie', 'films'],
    ['book', 'books'],
    ['photo', 'photos'],
  ] as const) {
    const library = await createLibrary(services, { name, type, path: join(folder, name) })
    const { id } = await queueScan(services, { libraryId: library.id, type: 'scan' })
    await runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, new AbortController().signal)
    if (type === 'movie') await scanThemeMedia(services, { libraryId: library.id })
  }
  return folder
}

void t.test('users see relative paths of files, administrators see full paths', async (t) => {
  const server = await startApp(t)
  const { ask, services, app } = server
  const folder = await fill(t, server)
  const [user, admin] = [await server.registerUser(), await server.registerAdmin()]
  const idOf = async (type: string) =>
    String(
      await services.db.oneFirst(sql.unsafe`select id from media_items where type = ${type} and role is null limit 1`),
    )
  const [film, book, photo] = [await idOf('movie'), await idOf('book'), await idOf('image')]
  const library = String(await services.db.oneFirst(sql.unsafe`select id from libraries where type = 'movie'`))
  for (const { token } of [user, admin]) await ask('POST', `/api/v1/media/${film}/favorite`, { token })
  await ask('POST', `/api/v1/media/${film}/watched`, { token: user.token })
  const rules = { name: 'S', library_id: library, rules_json: { logic: 'and', rules: [] } }
  const smart = pick((await ask('POST', '/api/v1/smart-playlists', { token: user.token, body: rules })).json, 'id')
  const made = await ask('POST', '/api/v1/playlists', { token: user.token, body: { name: 'C', media_id: film } })
  const collection = String(pick(made.json, 'collection', 'id'))

  const idIn = (url: string): string => {
    if (url.startsWith('/api/v1/libraries')) return library
    if (url.startsWith('/api/v1/books')) return book
    if (url.startsWith('/api/v1/photo')) return photo
    if (url.startsWith('/api/v1/collections')) return collection
    return url.startsWith('/api/v1/smart-playlists') ? String(smart) : film
  }
  const urls = app.declaredRoutes
    .filter(({ method, access }) => method === 'GET' && access === 'user')
    .map(({ url }) => url)
  for (const url of urls) {
    const { status, text } = await ask('GET', url.replaceAll(/:[a-zA-Z]+/g, idIn(url)), { token: user.token })
    t.equal(text.includes(folder), false, `${status} ${url}`)
  }
  const preview = { token: user.token, body: {} }
  t.notMatch((await ask('POST', `/api/v1/smart-playlists/${String(smart)}/preview`, preview)).text, folder)

  const name = 'A Film (1999)/A Film (1999).mp4'
  for (const [path, place, within] of [
    ['/media?libraryId=' + library, ['items', 0, 'path'], name],
    [`/media/search?q=film`, ['items', 0, 'path'], name],
    [`/media/${film}`, ['path'], name],
    [`/media/${film}`, ['item', 'path'], name],
    [`/media/${film}/playback`, ['playback_info', 'media_sources', 0, 'path'], name],
    [`/media/${film}/extras`, ['extras', 0, 'file_path'], 'A Film (1999)/trailers/One.mp4'],
    [`/libraries/${library}/items`, ['items', 0, 'path'], name],
    [`/libraries/${library}/theme-media`, ['audio', 'path'], 'theme.mp4'],
    [`/libraries/${library}`, ['library', 'path'], ''],
    [`/libraries/${library}`, ['library', 'paths', 0], ''],
    [`/collections/${collection}`, ['items', 0, 'path'], name],
    ['/users/me/favorites', ['items', 0, 'path'], name],
    ['/books', ['books', 0, 'path'], 'An Author/A Book.epub'],
    [`/books/${book}`, ['book', 'path'], 'An Author/A Book.epub'],
    [`/photo/photos/${photo}`, ['photo', 'path'], '2020/a.jpg'],
  ] as const) {
    const root = join(folder, path.includes('book') ? 'books' : path.includes('photo') ? 'photos' : 'films')
    // Twice, because rows and pages are cached.
    for (const round of [1, 2]) {
      const read = async (token: string) => pick((await ask('GET', `/api/v1${path}`, { token })).json, ...place)
      t.equal(await read(user.token), within, `${path} of a user, ${round}`)
      t.equal(await read(admin.token), join(root, within), `${path} of an administrator, ${round}`)
    }
  }
})

void t.test('a file outside of every library folder is shown by its name', async (t) => {
  const { services } = await startApp(t)
  const showPath = await createPathFormatter(services, { isAdmin: false })
  t.equal(showPath('/srv/films/a.mkv'), 'a.mkv')
  t.equal(
    (await createPathFormatter(services, null))('/srv/films/a.mkv'),
    'a.mkv',
    'also for requests with a signature',
  )
  t.equal((await createPathFormatter(services, { isAdmin: true }))('/srv/films/a.mkv'), '/srv/films/a.mkv')
})
