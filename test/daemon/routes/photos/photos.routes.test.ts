import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import t, { type Test } from 'tap'
import { pick, startApp, type Answer, type TestApp } from '../../../support/app.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import { HOSTILE_SVG, noise, pngOf, turnedJpeg } from '../../../support/made-pictures.ts'
import { heicWith, jpegWith } from '../../../support/pictures.ts'
import { scanAgain, scanLibrary } from '../../../support/scan-library.ts'
import { putFile } from '../../../support/scanning.ts'

const CANON = {
  make: 'Canon',
  model: 'Canon EOS R5',
  lens: 'RF 50mm',
  aperture: [28, 10],
  exposure: [1, 250],
  iso: 400,
  focalLength: [50, 1],
} as const

type Gallery = TestApp & { token: string; folder: string; libraryId: string; idOf: (name: string) => Promise<string> }

/** Two libraries: one with a few days and strange files, the other with a single photo of one of these days. */
async function openGallery(t: Test): Promise<Gallery> {
  const folder = reachableDirectory(t)
  const evening = await jpegWith({
    ...CANON,
    takenAt: '2024:05:06 23:30:00',
    offset: '+02:00',
    place: { latitude: [48, 51, 30], longitude: [2, 17, 40], altitude: 35 },
  })
  putFile(folder, 'trip/evening.jpg', evening)
  putFile(folder, 'trip/morning.jpg', await jpegWith({ ...CANON, takenAt: '2024:05:06 07:00:00', offset: '+02:00' }))
  putFile(folder, 'trip/next.jpg', await jpegWith({ takenAt: '2024:05:07 10:00:00', offset: '+02:00' }))
  const old = new Date('2020-01-02T12:00:00Z')
  putFile(folder, 'old/turned.jpg', await turnedJpeg(6), old)
  putFile(folder, 'old/big.png', await noise(900, 600).png().toBuffer(), old)
  putFile(folder, 'old/wide.webp', await noise(400, 100).webp().toBuffer(), old)
  putFile(folder, 'old/film.tiff', await noise(60, 60).tiff().toBuffer(), old)
  putFile(folder, 'old/phone.heic', heicWith({ takenAt: '2020:01:02 12:00:01', offset: '+00:00' }), old)
  putFile(folder, 'old/bomb.png', pngOf({ width: 50_000, height: 50_000, rows: 2000 }), old)
  putFile(folder, 'old/drawing.jpg', HOSTILE_SVG, old)
  putFile(folder, 'old/page.jpg', '<!doctype html><script>alert(1)</script>', old)
  const second = reachableDirectory(t)
  putFile(second, 'other.jpg', await jpegWith({ takenAt: '2024:05:06 12:00:00', offset: '+02:00' }))
  const app = await startApp(t)
  const { id: libraryId } = await scanLibrary(app.services, { folder, type: 'photo' })
  await scanLibrary(app.services, { folder: second, type: 'photo' })
  const { token } = await app.registerUser()
  const idOf = async (name: string): Promise<string> => {
    const { json } = await app.ask('GET', '/api/v1/photo/photos?limit=100', { token })
    const photos = pick(json, 'photos') as { id: string; name: string }[]
    return photos.find((photo) => photo.name === name)?.id ?? `no ${name}`
  }
  return { ...app, token, folder, libraryId, idOf }
}

type Ask = (path: string, headers?: Record<string, string>) => Promise<Answer>

const namesOf = (answer: Answer, ...path: string[]): unknown[] =>
  (pick(answer.json, ...path) as { name: string }[]).map(({ name }) => name)

/** The bytes behind an address, which `ask` would read as text. */
async function fetchBytes(
  { baseUrl, token }: Gallery,
  path: string,
): Promise<{ status: number; headers: Headers; bytes: Buffer }> {
  const reply = await fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${token}` } })
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) }
}

async function sizeOf(gallery: Gallery, path: string): Promise<string> {
  const { status, headers, bytes } = await fetchBytes(gallery, path)
  if (status !== 200) return `${status}`
  const { width, height, format } = await sharp(bytes).metadata()
  return `${width}x${height} ${format} ${headers.get('content-type')}`
}

void t.test('photos', async (t) => {
  const gallery = await openGallery(t)
  const get: Ask = (path, headers = {}) => gallery.ask('GET', `/api/v1/photo${path}`, { token: gallery.token, headers })
  await albums(t, gallery, get)
  await lists(t, gallery, get)
  await slideshows(t, get)
  await thumbnails(t, gallery, get)
  await originals(t, gallery, get)
  await signatures(t, gallery)
  await changes(t, gallery, get)
})

function albums(t: Test, gallery: Gallery, get: Ask) {
  return t.test(
    'albums are the days on which photos were taken, where they were taken, the newest first',
    async (t) => {
      const all = await get('/albums')
      t.match(all, { status: 200, json: { limit: 50, offset: 0, pagination: { limit: 50, offset: 0, count: 3 } } })
      const rows = pick(all.json, 'albums') as { id: string; date: string; photo_count: number }[]
      t.match(
        rows.map(({ id, date, photo_count: count }) => `${id} ${date} ${count}`),
        [/^album-2024-05-07 2024-05-07 1$/, /^album-2024-05-06 2024-05-06 3$/, /^album-2020-01-02 2020-01-02 \d$/],
      )
      t.match(pick(rows[1], 'cover_photo'), {
        id: await gallery.idOf('morning.jpg'),
        thumbnail_url: /^\/api\/v1\/photo\/photos\/[\da-f-]{36}\/thumbnail\?exp=\d+&sig=[\w-]{43}$/,
      })
      t.match((await get(`/albums?library_id=${gallery.libraryId}`)).json, {
        albums: [{ photo_count: 1 }, { photo_count: 2 }, {}],
      })
      t.match((await get('/albums?limit=1&offset=1')).json, { albums: [{ date: '2024-05-06' }], limit: 1, offset: 1 })
      t.strictSame(pick((await get(`/albums?library_id=${randomUUID()}`)).json, 'albums'), [])
      t.match(await get('/albums?library_id=nonsense'), {
        status: 400,
        json: { code: 'invalid_request', field: 'library_id' },
      })

      for (const id of ['2024-05-06', 'album-2024-05-06']) {
        const one = await get(`/albums/${id}`)
        t.match(one, { status: 200, json: { album: { id: 'album-2024-05-06', date: '2024-05-06', photo_count: 3 } } })
        t.strictSame(
          namesOf(one, 'album', 'photos'),
          ['morning.jpg', 'other.jpg', 'evening.jpg'],
          'in the order of the day',
        )
      }
      const ofLibrary = await get(`/albums/2024-05-06?library_id=${gallery.libraryId}`)
      t.strictSame(namesOf(ofLibrary, 'album', 'photos'), ['morning.jpg', 'evening.jpg'])
      for (const id of [
        '2024-05-08',
        'album-2023-02-29',
        '0000-01-01',
        '2024-5-6',
        'album-',
        'x'.repeat(90),
        '9999-99-99',
        '%00',
      ]) {
        t.match(await get(`/albums/${id}`), { status: 404, json: { code: 'photo_album_not_found' } }, id)
      }
    },
  )
}

function lists(t: Test, gallery: Gallery, get: Ask) {
  return t.test('photos are listed the newest first, or by album, and told in full one by one', async (t) => {
    const all = await get('/photos?limit=3')
    t.strictSame(namesOf(all, 'photos'), ['next.jpg', 'evening.jpg', 'other.jpg'])
    t.match(all.json, { limit: 3, offset: 0, pagination: { limit: 3, offset: 0, count: 3 } })
    t.strictSame(Object.keys(pick(all.json, 'photos', 1) as object), [
      'id',
      'name',
      'width',
      'height',
      'date_taken_unix',
      'thumbnail_url',
      'full_url',
      'library_id',
    ])
    t.match(pick(all.json, 'photos', 1), { width: 64, height: 48, date_taken_unix: 1_715_031_000 })
    t.strictSame(namesOf(await get('/photos?limit=2&offset=1'), 'photos'), ['evening.jpg', 'other.jpg'])
    t.strictSame(namesOf(await get('/photos?album_id=album-2024-05-07'), 'photos'), ['next.jpg'])
    t.strictSame(namesOf(await get('/photos?album_id=2024-05-06'), 'photos'), [
      'morning.jpg',
      'other.jpg',
      'evening.jpg',
    ])
    t.strictSame(namesOf(await get(`/photos?album_id=2024-05-06&library_id=${gallery.libraryId}`), 'photos').length, 2)
    t.strictSame(namesOf(await get('/photos?album_id=2019-01-01'), 'photos'), [])
    t.match(await get('/photos?album_id=nonsense'), { status: 404, json: { code: 'photo_album_not_found' } })
    t.match((await get('/photos?limit=0&offset=-5')).json, { limit: 1, offset: 0 })
    t.match((await get('/photos?limit=1000')).json, { limit: 100 })
    t.match(await get('/photos?limit=many'), { status: 400 })

    const one = await get(`/photos/${await gallery.idOf('evening.jpg')}`)
    t.equal(one.status, 200)
    const exif = {
      camera_make: 'Canon',
      camera_model: 'Canon EOS R5',
      lens: 'RF 50mm',
      aperture: String,
      iso: 400,
      shutter_speed: String,
      focal_length: String,
      gps_lat: Number,
      gps_lng: Number,
      gps_alt: 35,
      width: 64,
      height: 48,
      orientation: 1,
      orientation_name: 'Horizontal (normal)',
      date_taken_formatted: '2024-05-06 23:30:00',
      date_taken_year: 2024,
      date_taken_month: 5,
      gps_display: '48.858333, 2.294444',
    }
    t.match(pick(one.json, 'photo'), { name: 'evening.jpg', path: join(gallery.folder, 'trip/evening.jpg'), exif })
    t.strictSame(pick(one.json, 'photo', 'metadata'), pick(one.json, 'photo', 'exif'))
    const turned = await get(`/photos/${await gallery.idOf('turned.jpg')}`)
    t.match(pick(turned.json, 'photo'), {
      width: 80,
      height: 60,
      exif: { orientation: 6, orientation_name: 'Rotate 90 CW', gps_display: null },
    })
    for (const id of [randomUUID(), 'nonsense', '%00', "x'; drop table photos"]) {
      t.match(await get(`/photos/${id}`), { status: 404, json: { code: 'photo_not_found' } }, id)
    }
  })
}

function slideshows(t: Test, get: Ask) {
  return t.test('a slideshow is an album in the order of the day, the newest one unless said', async (t) => {
    const newest = await get('/slideshow')
    t.match(newest, { status: 200, json: { slideshow: { album_id: 'album-2024-05-07', interval: 5 } } })
    const day = await get('/slideshow?album_id=album-2024-05-06&interval=8')
    t.match(pick(day.json, 'slideshow'), {
      album_id: 'album-2024-05-06',
      interval: 8,
      photos: [
        {
          id: String,
          full_url: /\/full\?exp=/,
          thumbnail_url: /\/thumbnail\?exp=/,
          caption: 'Canon EOS R5, 2024-05-06 07:00',
        },
        { caption: '2024-05-06 12:00' },
        { caption: 'Canon EOS R5, 2024-05-06 23:30' },
      ],
    })
    t.match((await get('/slideshow?interval=0')).json, { slideshow: { interval: 1 } })
    t.match((await get('/slideshow?interval=1000000')).json, { slideshow: { interval: 3600 } })
    t.match(await get('/slideshow?interval=soon'), { status: 400 })
    t.match(await get('/slideshow?album_id=2019-01-01'), { status: 404, json: { code: 'photo_album_not_found' } })
    t.strictSame((await get(`/slideshow?library_id=${randomUUID()}`)).json, {
      slideshow: { album_id: null, interval: 5, photos: [] },
    })
  })
}

function thumbnails(t: Test, gallery: Gallery, get: Ask) {
  return t.test('a thumbnail is a JPEG of the size asked for, clamped to 16 to 2000 (IM-03)', async (t) => {
    const at = async (name: string, query = ''): Promise<string> =>
      sizeOf(gallery, `/api/v1/photo/photos/${await gallery.idOf(name)}/thumbnail${query}`)
    const sizes: Record<string, string> = {
      '': '300x300',
      '?w=100': '100x300',
      '?w=100&h=50': '100x50',
      '?w=100&h=50&fit=contain': '100x50',
      '?w=0': '16x300',
      '?w=-1&h=-1': '16x16',
      '?w=99999&h=1000000000': '2000x2000',
      '?h=&w=': '300x300',
    }
    for (const [query, size] of Object.entries(sizes))
      t.equal(await at('big.png', query), `${size} jpeg image/jpeg`, query)
    for (const query of ['?w=abc', '?fit=evil', '?w=1.5', '?w=1e400', '?w[]=1&w[]=2', '?fit=COVER']) {
      t.equal(await at('big.png', query), '400', query)
    }
    t.equal(await at('turned.jpg', '?w=80&h=60'), '80x60 jpeg image/jpeg')
    t.equal(await at('wide.webp'), '300x300 jpeg image/jpeg')
    t.equal(await at('film.tiff'), '300x300 jpeg image/jpeg')

    const path = `/photos/${await gallery.idOf('big.png')}/thumbnail`
    const fresh = await get(path)
    t.equal(fresh.headers.get('cache-control'), 'public, max-age=86400')
    const [etag, modified] = [fresh.headers.get('etag') ?? '', fresh.headers.get('last-modified') ?? '']
    t.equal((await get(path, { 'if-none-match': etag })).status, 304)
    t.equal((await get(path, { 'if-modified-since': modified })).status, 304)
    t.equal((await get(path, { 'if-none-match': '"other"' })).status, 200)
    const head = await gallery.ask('HEAD', `/api/v1/photo${path}`, { token: gallery.token })
    t.match([head.status, head.text, Number(head.headers.get('content-length')) > 100], [200, '', true])
    const [bomb, plain] = await Promise.all([at('bomb.png'), at('big.png', '?w=31&h=31')])
    t.strictSame([bomb, plain], ['404', '31x31 jpeg image/jpeg'], 'a bomb is refused, others are served (IM-01)')
    for (const name of ['drawing.jpg', 'page.jpg']) {
      t.equal(await gallery.idOf(name), `no ${name}`, 'what is no picture is no photo (IM-02)')
    }
    for (const id of [randomUUID(), 'nonsense']) {
      t.match(await get(`/photos/${id}/thumbnail`), { status: 404, json: { code: 'photo_not_found' } })
    }
    t.match(await get(`/photos/${await gallery.idOf('phone.heic')}/thumbnail`), {
      status: 500,
      json: { code: 'heic_decoder_missing' },
    })
  })
}

function originals(t: Test, gallery: Gallery, get: Ask) {
  return t.test(
    'the original is sent with the type of its own bytes, and does nothing in a browser (IM-04)',
    async (t) => {
      const full = async (name: string, headers?: Record<string, string>): Promise<Answer> =>
        get(`/photos/${await gallery.idOf(name)}/full`, headers)
      const types = {
        'evening.jpg': 'image/jpeg',
        'big.png': 'image/png',
        'wide.webp': 'image/webp',
        'film.tiff': 'image/tiff',
        'phone.heic': 'image/heic',
      }
      for (const [name, type] of Object.entries(types)) {
        const { status, headers } = await full(name)
        t.strictSame([status, headers.get('content-type'), headers.get('content-disposition')], [200, type, null], name)
        t.equal(headers.get('cache-control'), 'public, max-age=31536000')
        t.equal(headers.get('x-content-type-options'), 'nosniff')
        t.match(headers.get('content-security-policy'), /default-src 'none'.*sandbox/)
      }
      putFile(gallery.folder, 'old/film.tiff', '<!doctype html><script>alert(1)</script>')
      putFile(gallery.folder, 'old/wide.webp', HOSTILE_SVG)
      for (const name of ['film.tiff', 'wide.webp']) {
        const { status, headers } = await full(name)
        const sent = [status, headers.get('content-type'), headers.get('content-disposition')]
        t.strictSame(sent, [200, 'application/octet-stream', 'attachment'], `${name} was exchanged`)
        t.match(headers.get('content-security-policy'), /sandbox/)
        t.match(await get(`/photos/${await gallery.idOf(name)}/thumbnail?w=33`), {
          status: 404,
          json: { code: 'picture_unreadable' },
        })
      }
      t.match(await full('big.png', { range: 'bytes=0-3' }), { status: 206, text: /PNG/ })
      const etag = (await full('big.png')).headers.get('etag') ?? ''
      t.equal((await full('big.png', { 'if-none-match': etag })).status, 304)
      t.match(await get(`/photos/${randomUUID()}/full`), { status: 404, json: { code: 'photo_not_found' } })
    },
  )
}

function signatures(t: Test, gallery: Gallery) {
  return t.test(
    'addresses in replies are good by themselves, for one photo and one use, and everything else needs an account',
    async (t) => {
      const { ask, token } = gallery
      const list = await ask('GET', '/api/v1/photo/photos?limit=2', { token })
      const thumbnail = String(pick(list.json, 'photos', 0, 'thumbnail_url'))
      const full = String(pick(list.json, 'photos', 0, 'full_url'))
      t.equal((await ask('GET', thumbnail)).status, 200)
      t.equal((await ask('GET', `${thumbnail}&w=40&h=40&fit=contain`)).status, 200, 'the size is not signed')
      t.equal((await ask('GET', full)).status, 200)
      t.match(await ask('GET', full.replace('/full?', '/thumbnail?')), {
        status: 403,
        json: { code: 'signature.invalid' },
      })
      const other = String(pick(list.json, 'photos', 1, 'id'))
      t.equal((await ask('GET', full.replace(/photos\/[^/]+/, `photos/${other}`))).status, 403)
      for (const path of [
        'albums',
        'albums/2024-05-06',
        'photos',
        `photos/${other}`,
        'slideshow',
        `photos/${other}/full`,
        `photos/${other}/thumbnail`,
      ]) {
        t.match(await ask('GET', `/api/v1/photo/${path}`), { status: 401, json: { code: 'auth.required' } }, path)
      }
    },
  )
}

function changes(t: Test, gallery: Gallery, get: Ask) {
  return t.test(
    'a kept thumbnail needs no disk, a changed file has a new one, and a lost one is not found',
    async (t) => {
      const { folder, libraryId, services, idOf } = gallery
      const id = await idOf('next.jpg')
      const before = await get(`/photos/${id}/thumbnail`)
      rmSync(join(folder, 'trip/next.jpg'))
      t.equal((await get(`/photos/${id}/thumbnail`)).status, 200)
      t.match(await get(`/photos/${id}/thumbnail?w=77`), { status: 404, json: { code: 'file_not_found' } })
      t.match(await get(`/photos/${id}/full`), { status: 404, json: { code: 'file_not_found' } })
      putFile(
        folder,
        'trip/next.jpg',
        await jpegWith({ takenAt: '2024:05:07 10:00:00', orientation: 3, description: 'changed' }),
      )
      await scanAgain(services, libraryId)
      const after = await get(`/photos/${id}/thumbnail`)
      t.equal(after.status, 200)
      t.not(after.headers.get('etag'), before.headers.get('etag'))
    },
  )
}
