import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'slonik'
import sharp from 'sharp'
import t, { type Test } from 'tap'
import {
  openArtwork,
  readArtworkAddresses,
  setProviderArtwork,
  type ArtworkKind,
} from '../../../../src/core/artwork/index.ts'
import { listItems } from '../../../../src/core/catalogue/index.ts'
import type { LibraryType } from '../../../../src/core/libraries/index.ts'
import { zipOf } from '../../../core/probing/books/zip-writer.ts'
import { startApp, type TestApp } from '../../../support/app.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import { startFakeImageHost, type FakeImageHost } from '../../../support/fake-image-host.ts'
import { HOSTILE_SVG, plain } from '../../../support/made-pictures.ts'
import { sampleMedia } from '../../../support/media.ts'
import { scanAgain, scanLibrary } from '../../../support/scan-library.ts'
import { putFile, putSample } from '../../../support/scanning.ts'
import { testServices } from '../../../support/services.ts'
import { putAudio } from '../../../support/tagged-audio.ts'

type Shelf = { libraryId: string; folder: string; idOf: (path: string) => string }

/** A library of what `fill` puts into a folder; items by their path in it. */
async function shelve(
  t: Test,
  { services }: TestApp,
  type: LibraryType,
  fill: (folder: string) => Promise<void>,
): Promise<Shelf> {
  const folder = reachableDirectory(t)
  await fill(folder)
  const { id: libraryId } = await scanLibrary(services, { folder, type })
  const { items } = await listItems(services, { libraryId, limit: 100 })
  const ids = new Map(items.map((item) => [item.path?.slice(folder.length + 1) ?? item.name, item.id]))
  return { libraryId, folder, idOf: (path) => ids.get(path) ?? `no ${path} but ${[...ids.keys()].join(', ')}` }
}

/** The address of a picture; empty where there is none. */
async function addressOf({ services }: TestApp, itemId: string, kind: ArtworkKind = 'poster'): Promise<string> {
  return (await readArtworkAddresses(services, { itemIds: [itemId] })).get(itemId)?.[kind]?.url ?? ''
}

type Seen = { status: number; headers: Headers; bytes: Buffer }

async function see({ baseUrl }: TestApp, address: string, headers: Record<string, string> = {}): Promise<Seen> {
  const reply = await fetch(`${baseUrl}${address}`, { headers })
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) }
}

/** Size, format and colour of the middle; the status where it is no picture. */
async function look(app: TestApp, address: string): Promise<string> {
  const { status, bytes } = await see(app, address)
  if (status !== 200) return `${status}`
  const { data, info } = await sharp(bytes).resize(1, 1).raw().toBuffer({ resolveWithObject: true })
  const { width, height, format } = await sharp(bytes).metadata()
  const names = ['red', 'green', 'blue'].filter((_, index) => (data[index] ?? 0) > 100)
  return `${width}x${height} ${format} ${names.join('+') || 'black'}${info.channels === 4 ? ' alpha' : ''}`
}

void t.test('artwork', async (t) => {
  const host = await startFakeImageHost(t)
  const services = await testServices(t, { flags: { 'artwork.mirror_origin': host.origin } })
  const app = await startApp(t, { services })
  await besideFilms(t, app)
  await insideFiles(t, app)
  await fromProviders(t, app, host)
  await redirectingHosts(t, app, host)
  await hostileHosts(t, app, host)
  await forbiddenHosts(t, app, host)
  await wrongAddresses(t, app)
})

function besideFilms(t: Test, app: TestApp) {
  return t.test(
    'pictures beside films are shown in the width asked for, and a new one under a new address',
    async (t) => {
      const shelf = await shelve(t, app, 'movie', async (folder) => {
        await putSample(folder, 'Film (1999)/Film (1999).mp4')
        putFile(folder, 'Film (1999)/poster.jpg', await plain(1000, 1500, 'red').jpeg().toBuffer())
        putFile(folder, 'Film (1999)/fanart.png', await plain(1280, 720, 'green').png().toBuffer())
        putFile(folder, 'Film (1999)/logo.png', await plain(400, 100, '#0000ff80').png().toBuffer())
        putFile(folder, 'Film (1999)/banner.jpg', HOSTILE_SVG)
        putFile(folder, 'Film (1999)/landscape.jpg', HOSTILE_SVG)
      })
      const film = shelf.idOf('Film (1999)/Film (1999).mp4')
      const poster = await addressOf(app, film)
      t.equal(await look(app, poster), '320x480 jpeg red')
      t.equal(await look(app, await addressOf(app, film, 'backdrop')), '960x540 jpeg green')
      t.match(await look(app, await addressOf(app, film, 'logo')), /^320x80 png/)
      const sizes = { '1': 160, '160': 160, '161': 240, w500: 640, '5000': 1000, original: 1000 }
      for (const [size, width] of Object.entries(sizes)) {
        t.match(await look(app, poster.replace('size=320', `size=${size}`)), new RegExp(`^${width}x`), size)
      }
      for (const size of ['-1', 'large', '1e3', '../x', '9999999']) {
        t.equal(await look(app, poster.replace('size=320', `size=${size}`)), '400', size)
      }
      t.match(
        await see(app, await addressOf(app, film, 'still')),
        { status: 404, headers: new Headers() },
        'SVG is not shown (IM-02)',
      )

      const { status, headers } = await see(app, poster)
      t.match(
        [status, headers.get('content-type'), headers.get('cache-control')],
        [200, 'image/jpeg', 'private, max-age=86400'],
      )
      t.equal((await see(app, poster, { 'if-none-match': headers.get('etag') ?? '' })).status, 304)
      t.equal((await see(app, poster, { 'if-modified-since': headers.get('last-modified') ?? '' })).status, 304)

      putFile(shelf.folder, 'Film (1999)/poster.jpg', await plain(1000, 1500, 'blue').jpeg().toBuffer())
      await scanAgain(app.services, shelf.libraryId)
      const changed = await addressOf(app, film)
      t.not(new URL(changed, app.baseUrl).pathname, new URL(poster, app.baseUrl).pathname)
      t.equal(await look(app, changed), '320x480 jpeg blue')
      const old = await see(app, poster)
      t.strictSame(
        [old.status, old.headers.get('cache-control')],
        [200, 'private, no-cache'],
        'the old address shows the new one',
      )
      rmSync(join(shelf.folder, 'Film (1999)/poster.jpg'))
      t.equal(await look(app, changed), '320x480 jpeg blue', 'kept')
      t.equal(await look(app, changed.replace('size=320', 'size=640')), '404')
    },
  )
}

function insideFiles(t: Test, app: TestApp) {
  return t.test('pictures inside films, songs, audiobooks, comics and books are shown', async (t) => {
    const cover = await plain(200, 300, 'green').jpeg().toBuffer()
    const films = await shelve(t, app, 'movie', async (folder) => {
      const picture = putFile(folder, '../cover.jpg', cover)
      const target = join(folder, 'Inside (2001).mkv')
      const words = ['-loglevel', 'error', '-y', '-i', await sampleMedia('film-tiny-mp4'), '-c', 'copy']
      execFileSync('ffmpeg', [...words, '-attach', picture, '-metadata:s:t', 'mimetype=image/jpeg', target])
      rmSync(picture)
    })
    t.equal(await look(app, await addressOf(app, films.idOf('Inside (2001).mkv'))), '200x300 jpeg green')
    const music = await shelve(t, app, 'music', async (folder) => {
      await putAudio(folder, 'a/one.mp3', { hasPicture: true, tags: { title: 'One', album: 'A', artist: 'B' } })
      await putAudio(folder, 'b/two.flac', { tags: { title: 'Two', album: 'C', artist: 'B' } })
      putFile(folder, 'b/cover.jpg', await plain(500, 500, 'blue').jpeg().toBuffer())
    })
    t.equal(await look(app, await addressOf(app, music.idOf('a/one.mp3'), 'cover')), '16x16 jpeg red')
    t.equal(await look(app, await addressOf(app, music.idOf('b/two.flac'))), '320x320 jpeg blue')
    const albums = await app.services.db.any(sql.unsafe`select id from music_albums order by title`)
    const [album = ''] = albums.map((row) => String((row as { id: unknown }).id))
    t.equal(await look(app, await addressOf(app, album, 'cover')), '16x16 jpeg red')
    const listened = await shelve(t, app, 'audiobook', async (folder) => {
      await putAudio(folder, 'A. Author/One/book.m4b', { hasPicture: true })
    })
    t.equal(await look(app, await addressOf(app, listened.idOf('A. Author/One/book.m4b'), 'cover')), '16x16 jpeg red')
    const books = await shelve(t, app, 'book', async (folder) => {
      putFile(
        folder,
        'comic.cbz',
        zipOf([
          { name: '2.jpg', bytes: 'x' },
          { name: '1.jpg', bytes: cover },
        ]),
      )
      putFile(folder, 'bad.cbz', zipOf([{ name: '1.jpg', bytes: HOSTILE_SVG }]))
      putFile(folder, 'book.epub', epubWithCover(cover))
    })
    t.equal(await look(app, await addressOf(app, books.idOf('comic.cbz'), 'cover')), '200x300 jpeg green')
    t.equal(await look(app, await addressOf(app, books.idOf('book.epub'))), '200x300 jpeg green')
    t.equal(await look(app, await addressOf(app, books.idOf('bad.cbz'))), '404')
  })
}

function epubWithCover(cover: Buffer): Buffer {
  const container = `<container><rootfiles><rootfile full-path="content.opf"/></rootfiles></container>`
  const opf = `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="2.0">
    <metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Book</dc:title><meta name="cover" content="c"/></metadata>
    <manifest><item id="c" href="images/front.jpg" media-type="image/jpeg"/></manifest><spine/></package>`
  return zipOf([
    { name: 'mimetype', bytes: 'application/epub+zip', isStored: true },
    { name: 'META-INF/container.xml', bytes: container },
    { name: 'content.opf', bytes: opf },
    { name: 'images/front.jpg', bytes: cover },
  ])
}

async function makeFilm(t: Test, app: TestApp): Promise<string> {
  const shelf = await shelve(t, app, 'movie', async (folder) => void (await putSample(folder, 'Film (1999).mp4')))
  return shelf.idOf('Film (1999).mp4')
}

function fromProviders(t: Test, app: TestApp, host: FakeImageHost) {
  return t.test('a provider’s picture is fetched once, by the first who look, and kept', async (t) => {
    const film = await makeFilm(t, app)
    await setProviderArtwork(app.services.db, [
      { itemId: film, kind: 'poster', url: `${host.origin}/red.jpg` },
      { itemId: film, kind: 'logo', url: `${host.origin}/blue.png` },
    ])
    host.requests.length = 0
    const poster = await addressOf(app, film)
    t.strictSame(host.requests, [], 'an address fetches nothing')
    const all = await Promise.all(Array.from({ length: 10 }, () => look(app, poster)))
    t.strictSame([...new Set(all)], ['320x480 jpeg red'])
    t.equal(await look(app, poster.replace('size=320', 'size=160')), '160x240 jpeg red')
    t.strictSame(host.requests, ['/red.jpg'])
    t.match(await look(app, await addressOf(app, film, 'logo')), /^320x480 png blue/)
    await setProviderArtwork(app.services.db, [{ itemId: film, kind: 'poster', url: `${host.origin}/green.jpg` }])
    t.equal(await look(app, await addressOf(app, film)), '320x480 jpeg green')
    await setProviderArtwork(app.services.db, [{ itemId: film, kind: 'poster', url: null }])
    t.equal(await look(app, poster), '404')
    t.equal(await addressOf(app, film), '')
  })
}

function redirectingHosts(t: Test, app: TestApp, host: FakeImageHost) {
  return t.test('a picture that lies elsewhere on its server is fetched there (SS-04)', async (t) => {
    const film = await makeFilm(t, app)
    await setProviderArtwork(app.services.db, [{ itemId: film, kind: 'poster', url: `${host.origin}/redirect` }])
    host.requests.length = 0
    t.equal(await look(app, await addressOf(app, film)), '320x480 jpeg red')
    t.strictSame(host.requests, ['/redirect', '/red.jpg'])
  })
}

function hostileHosts(t: Test, app: TestApp, host: FakeImageHost) {
  return t.test(
    'a server that redirects without end or into a private network, lies, is endless or broken is answered with 404, and left alone for a while (SS-04, SS-05)',
    async (t) => {
      const film = await makeFilm(t, app)
      const paths = [
        '/redirect-home',
        '/redirect-metadata',
        '/redirect-forever',
        '/endless',
        '/gzip-bomb',
        '/html',
        '/svg',
        '/empty',
        '/damaged',
        '/error',
        '/missing',
      ]
      for (const path of paths) {
        await setProviderArtwork(app.services.db, [{ itemId: film, kind: 'poster', url: `${host.origin}${path}` }])
        host.requests.length = 0
        const address = await addressOf(app, film)
        const before = process.memoryUsage.rss()
        const first = await app.ask('GET', address)
        t.match(first, { status: 404, json: { code: 'artwork_not_found' } }, path)
        t.notMatch(first.text, /127\.0\.0\.1/, 'and nothing of the server’s')
        t.equal((await app.ask('GET', address)).status, 404)
        t.strictSame(host.requests, path === '/redirect-forever' ? [path, path, path, path] : [path], 'not asked again')
        const grown = Math.round((process.memoryUsage.rss() - before) / 1024 / 1024)
        t.ok(grown < 200, `${path}: ${grown} MiB more`)
      }
      await silentHosts(t, app, host, film)
    },
  )
}

/** These make the whole server be left alone for a minute, so they come last, with less patience than usual. */
async function silentHosts(t: Test, app: TestApp, host: FakeImageHost, film: string): Promise<void> {
  const { services } = app
  const hasty: typeof services = {
    ...services,
    outbound: {
      ...services.outbound,
      send: (request, signal) => services.outbound.send({ ...request, timeoutMilliseconds: 500 }, signal),
    },
  }
  for (const path of ['/never', '/drip', '/half', '/promises-10-gib']) {
    services.images.failures.remember(`server ${host.origin}`, new Error('forgotten'), -1)
    await setProviderArtwork(services.db, [{ itemId: film, kind: 'poster', url: `${host.origin}${path}` }])
    const id = new URL(await addressOf(app, film), app.baseUrl).pathname.split('/').at(-1) ?? ''
    await t.rejects(openArtwork(hasty, { id }), { code: 'artwork_not_found' }, path)
  }
  host.requests.length = 0
  await setProviderArtwork(services.db, [{ itemId: film, kind: 'poster', url: `${host.origin}/white.jpg` }])
  t.equal(await look(app, await addressOf(app, film)), '404')
  t.strictSame(host.requests, [], 'the next picture of the same server does not wait for it')
}

function forbiddenHosts(t: Test, app: TestApp, host: FakeImageHost) {
  return t.test(
    'addresses in private networks are not asked, whoever named them, unless they are the mirror, nor ports and user names that no picture needs (SS-01, SS-02)',
    async (t) => {
      const film = await makeFilm(t, app)
      const port = new URL(host.origin).port
      host.requests.length = 0
      const addresses = [
        `http://localhost:${port}/red.jpg`,
        `http://127.1:${port}/red.jpg`,
        `http://2130706433:${port}/red.jpg`,
        `http://[::ffff:127.0.0.1]:${port}/red.jpg`,
        `http://0.0.0.0:${port}/red.jpg`,
        'http://169.254.169.254/latest/meta-data',
        'http://[fd00::1]/x.jpg',
        'http://10.0.0.1/x.jpg',
        'http://user:secret@example.test/x.jpg',
        'http://example.test:22/x.jpg',
        'https://example.test:5432/x.jpg',
      ]
      for (const url of addresses) {
        // The first spellings are the mirror's once they are read as an address; another port is another server.
        const other = new URL(url)
        if (other.origin === host.origin) other.port = String(Number(port) + 1)
        await setProviderArtwork(app.services.db, [{ itemId: film, kind: 'backdrop', url: other.href }])
        t.equal(await look(app, await addressOf(app, film, 'backdrop')), '404', url)
      }
      t.strictSame(host.requests, [])
    },
  )
}

function wrongAddresses(t: Test, app: TestApp) {
  return t.test(
    'an address is good for one picture; ids of nothing are not found; an account needs no signature',
    async (t) => {
      const shelf = await shelve(t, app, 'movie', async (folder) => {
        await putSample(folder, 'Film (1999).mp4')
        writeFileSync(join(folder, 'Film (1999)-poster.jpg'), await plain(100, 150, 'red').jpeg().toBuffer())
      })
      const film = shelf.idOf('Film (1999).mp4')
      const address = await addressOf(app, film)
      const path = new URL(address, app.baseUrl).pathname
      const { token } = await app.registerUser()
      t.match(await app.ask('GET', path), { status: 401, json: { code: 'auth.required' } })
      t.equal((await app.ask('GET', path, { token })).status, 200)
      t.match(await app.ask('HEAD', path, { token }), { status: 200, text: '' })
      t.match(await app.ask('GET', address.replace('-poster-', '-logo-')), {
        status: 403,
        json: { code: 'signature.invalid' },
      })
      for (const id of [
        `${film}-logo-0123456789`,
        `${randomUUID()}-poster-0123456789`,
        film,
        'nonsense',
        `${film}-poster-0123456789x`,
        '%00',
        `${film}-poster-012345678%0A`,
      ]) {
        t.match(
          await app.ask('GET', `/api/v1/artwork/${id}`, { token }),
          { status: 404, json: { code: 'artwork_not_found' } },
          id,
        )
      }
    },
  )
}
