import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { pdfOf } from '../../../core/probing/books/pdf-writer.ts'
import { zipOf } from '../../../core/probing/books/zip-writer.ts'
import { startApp, type TestApp } from '../../../support/app.ts'
import { addressOf, inspectPicture, fetchPicture, scanArtworkLibrary } from '../../../support/artwork-library.ts'
import { epubOf } from '../../../support/book-files.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import { HOSTILE_SVG, plain } from '../../../support/generated-pictures.ts'
import { sampleMedia } from '../../../support/media.ts'
import { scanAgain } from '../../../support/scan-library.ts'
import { putFile, putSample } from '../../../support/scanning.ts'
import { testServices } from '../../../support/services.ts'
import { putAudio } from '../../../support/tagged-audio.ts'

void t.test('artwork', async (t) => {
  const app = await startApp(t)
  const { token } = await app.registerUser()
  await besideFilms(t, app)
  await insideFiles(t, app)
  await withoutPictures(t, app, token)
  await wrongAddresses(t, app, token)
})

function besideFilms(t: Test, app: TestApp) {
  return t.test(
    'pictures beside films are shown in the width asked for, and a new one under a new address',
    async (t) => {
      const artworkLibrary = await scanArtworkLibrary(t, app, 'movie', async (folder) => {
        await putSample(folder, 'Film (1999)/Film (1999).mp4')
        putFile(folder, 'Film (1999)/poster.jpg', await plain(1000, 1500, 'red').jpeg().toBuffer())
        putFile(folder, 'Film (1999)/fanart.png', await plain(1280, 720, 'green').png().toBuffer())
        putFile(folder, 'Film (1999)/logo.png', await plain(400, 100, '#0000ff80').png().toBuffer())
        putFile(folder, 'Film (1999)/banner.jpg', HOSTILE_SVG)
        putFile(folder, 'Film (1999)/landscape.jpg', HOSTILE_SVG)
      })
      const film = artworkLibrary.idOf('Film (1999)/Film (1999).mp4')
      const poster = await addressOf(app, film)
      t.equal(await inspectPicture(app, poster), '320x480 jpeg red')
      t.equal(await inspectPicture(app, await addressOf(app, film, 'backdrop')), '960x540 jpeg green')
      t.match(await inspectPicture(app, await addressOf(app, film, 'logo')), /^320x80 png/)
      const sizes = { '1': 160, '160': 160, '161': 240, w500: 640, '5000': 1000, original: 1000 }
      for (const [size, width] of Object.entries(sizes)) {
        t.match(await inspectPicture(app, poster.replace('size=320', `size=${size}`)), new RegExp(`^${width}x`), size)
      }
      for (const size of ['-1', 'large', '1e3', '../x', '9999999']) {
        t.equal(await inspectPicture(app, poster.replace('size=320', `size=${size}`)), '400', size)
      }
      t.match(
        await fetchPicture(app, await addressOf(app, film, 'still')),
        { status: 404, headers: new Headers() },
        'SVG is not shown (IM-02)',
      )

      const { status, headers } = await fetchPicture(app, poster)
      t.match(
        [status, headers.get('content-type'), headers.get('cache-control')],
        [200, 'image/jpeg', 'private, max-age=86400'],
      )
      t.equal((await fetchPicture(app, poster, { 'if-none-match': headers.get('etag') ?? '' })).status, 304)
      t.equal(
        (await fetchPicture(app, poster, { 'if-modified-since': headers.get('last-modified') ?? '' })).status,
        304,
      )

      putFile(artworkLibrary.folder, 'Film (1999)/poster.jpg', await plain(1000, 1500, 'blue').jpeg().toBuffer())
      await scanAgain(app.services, artworkLibrary.libraryId)
      const changed = await addressOf(app, film)
      t.not(new URL(changed, app.baseUrl).pathname, new URL(poster, app.baseUrl).pathname)
      t.equal(await inspectPicture(app, changed), '320x480 jpeg blue')
      const old = await fetchPicture(app, poster)
      t.strictSame(
        [old.status, old.headers.get('cache-control')],
        [200, 'private, no-cache'],
        'the old address shows the new one',
      )
      rmSync(join(artworkLibrary.folder, 'Film (1999)/poster.jpg'))
      t.equal(await inspectPicture(app, changed), '320x480 jpeg blue', 'kept')
      t.equal(await inspectPicture(app, changed.replace('size=320', 'size=640')), '404')
    },
  )
}

function insideFiles(t: Test, app: TestApp) {
  return t.test('embedded pictures of films, songs, audiobooks, comics and books are shown', async (t) => {
    const cover = await plain(200, 300, 'green').jpeg().toBuffer()
    const films = await scanArtworkLibrary(t, app, 'movie', (folder) => putFilmWith(folder, cover))
    t.equal(await inspectPicture(app, await addressOf(app, films.idOf('Inside (2001).mkv'))), '200x300 jpeg green')
    const music = await scanArtworkLibrary(t, app, 'music', async (folder) => {
      await putAudio(folder, 'a/one.mp3', { hasPicture: true, tags: { title: 'One', album: 'A', artist: 'B' } })
      await putAudio(folder, 'b/two.flac', { tags: { title: 'Two', album: 'C', artist: 'B' } })
      putFile(folder, 'b/cover.jpg', await plain(500, 500, 'blue').jpeg().toBuffer())
    })
    t.equal(await inspectPicture(app, await addressOf(app, music.idOf('a/one.mp3'), 'cover')), '16x16 jpeg red')
    t.equal(await inspectPicture(app, await addressOf(app, music.idOf('b/two.flac'))), '320x320 jpeg blue')
    const albums = await app.services.db.any(sql.unsafe`select id from music_albums order by title`)
    const [album = ''] = albums.map((row) => String((row as { id: unknown }).id))
    t.equal(await inspectPicture(app, await addressOf(app, album, 'cover')), '16x16 jpeg red')
    const listened = await scanArtworkLibrary(t, app, 'audiobook', async (folder) => {
      await putAudio(folder, 'A. Author/One/book.m4b', { hasPicture: true })
    })
    t.equal(
      await inspectPicture(app, await addressOf(app, listened.idOf('A. Author/One/book.m4b'), 'cover')),
      '16x16 jpeg red',
    )
    const books = await scanArtworkLibrary(t, app, 'book', async (folder) => {
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
      putFile(folder, 'bare.epub', epubOf('<dc:title>Bare</dc:title>'))
      putFile(folder, 'both.epub', epubOf('<dc:title>Both</dc:title>'))
      putFile(folder, 'both.cbz', zipOf([{ name: '1.jpg', bytes: cover }]))
    })
    t.equal(await inspectPicture(app, await addressOf(app, books.idOf('comic.cbz'), 'cover')), '200x300 jpeg green')
    t.equal(await inspectPicture(app, await addressOf(app, books.idOf('book.epub'))), '200x300 jpeg green')
    t.equal(
      await inspectPicture(app, await addressOf(app, books.idOf('both.epub'))),
      '200x300 jpeg green',
      'of another format',
    )
    t.equal(await inspectPicture(app, await addressOf(app, books.idOf('bad.cbz'))), '404')
    t.equal(await addressOf(app, books.idOf('bare.epub')), '', 'a book without cover has no address of one')
  })
}

function withoutPictures(t: Test, app: TestApp, token: string) {
  return t.test('films without pictures show a bright frame, and a PDF its first page', async (t) => {
    const films = await scanArtworkLibrary(t, app, 'movie', async (folder) => {
      putColours(join(folder, 'Late (2001).mkv'), ['black', 'black', 'red'])
      putColours(join(folder, 'Dark (2002).mkv'), ['black'])
    })
    const late = films.idOf('Late (2001).mkv')
    t.equal(
      await inspectPicture(app, await addressOf(app, films.idOf('Dark (2002).mkv'), 'still')),
      '160x90 jpeg black',
    )
    const frame = await addressOf(app, late, 'still')
    t.equal(await inspectPicture(app, frame), '160x90 jpeg red', 'the first frame that is not dark')
    t.match((await app.ask('GET', `/api/v1/media/${late}`, { token })).json, { poster_url: frame, backdrop_url: frame })
    rmSync(join(films.folder, 'Late (2001).mkv'))
    t.equal(
      await inspectPicture(app, frame.replace('size=640', 'size=160')),
      '160x90 jpeg red',
      'drawn from the kept frame',
    )

    const books = await scanArtworkLibrary(t, app, 'book', (folder) => {
      putFile(folder, 'page.pdf', pdfOf({ drawing: '0 1 0 rg 0 0 9 9 re f' }))
      putFile(folder, 'broken.pdf', '%PDF-1.4 no more')
      return Promise.resolve()
    })
    t.equal(await inspectPicture(app, await addressOf(app, books.idOf('page.pdf'))), '320x320 jpeg green')
    t.equal(await addressOf(app, books.idOf('broken.pdf')), '')
  })
}

/** A film that shows each colour for ten seconds. */
function putColours(target: string, colours: readonly string[]): void {
  const inputs = colours.flatMap((colour) => ['-f', 'lavfi', '-i', `color=${colour}:s=160x90:r=2:d=10`])
  const joined = ['-filter_complex', `concat=n=${colours.length}:v=1`]
  execFileSync('ffmpeg', ['-loglevel', 'error', ...inputs, ...joined, '-c:v', 'libx264', '-g', '4', target])
}

/** `Inside (2001).mkv` with a file attached to it as a picture. */
async function putFilmWith(folder: string, bytes: Buffer): Promise<void> {
  const picture = putFile(folder, '../cover.jpg', bytes)
  const target = join(folder, 'Inside (2001).mkv')
  const words = ['-loglevel', 'error', '-y', '-i', await sampleMedia('film-tiny-mp4'), '-c', 'copy']
  execFileSync('ffmpeg', [...words, '-attach', picture, '-metadata:s:t', 'mimetype=image/jpeg', target])
  rmSync(picture)
}

void t.test(
  'a film without an extractable picture counts as one without pictures, and ffmpeg is not started again',
  async (t) => {
    const record = join(reachableDirectory(t), 'runs')
    const program = join(reachableDirectory(t), 'fake-ffmpeg')
    // The same for an attachment of 400 MiB.
    writeFileSync(program, `#!/bin/sh\necho run >> ${record}\n`, { mode: 0o755 })
    const services = await testServices(t, { flags: { 'media.ffmpeg': program } })
    const app = await startApp(t, { services })
    const cover = await plain(200, 300, 'green').jpeg().toBuffer()
    const films = await scanArtworkLibrary(t, app, 'movie', (folder) => putFilmWith(folder, cover))
    const address = await addressOf(app, films.idOf('Inside (2001).mkv'))
    for (const size of ['size=320', 'size=320', 'size=640']) {
      t.match(await app.ask('GET', address.replace('size=320', size)), {
        status: 404,
        json: { code: 'artwork_not_found' },
      })
    }
    t.equal(readFileSync(record, 'utf8'), 'run\n')
  },
)

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

function wrongAddresses(t: Test, app: TestApp, token: string) {
  return t.test(
    'a signature is valid for one picture; unknown ids are not found; an account needs no signature',
    async (t) => {
      const artworkLibrary = await scanArtworkLibrary(t, app, 'movie', async (folder) => {
        await putSample(folder, 'Film (1999).mp4')
        writeFileSync(join(folder, 'Film (1999)-poster.jpg'), await plain(100, 150, 'red').jpeg().toBuffer())
      })
      const film = artworkLibrary.idOf('Film (1999).mp4')
      const address = await addressOf(app, film)
      const path = new URL(address, app.baseUrl).pathname
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
