import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import t, { type Test } from 'tap'
import { pick, type Answer } from '../../../support/app.ts'
import { HOSTILE_SVG } from '../../../support/generated-pictures.ts'
import { asking, openGallery, type Ask, type Gallery } from '../../../support/photo-gallery.ts'
import { jpegWith } from '../../../support/pictures.ts'
import { scanAgain } from '../../../support/scan-library.ts'
import { putFile } from '../../../support/scanning.ts'

void t.test('files of photos', async (t) => {
  const gallery = await openGallery(t)
  const get = asking(gallery)
  await thumbnails(t, gallery, get)
  await originals(t, gallery, get)
  await signatures(t, gallery)
  await changes(t, gallery, get)
})

/** Fetches bytes, which `ask` would decode as text. */
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
    const unchanged = await get(path, { 'if-none-match': etag })
    t.equal(unchanged.status, 304)
    for (const { headers } of [fresh, unchanged]) {
      t.equal(headers.get('vary'), 'Authorization', 'a shared cache does not return it without the token (BR-04)')
    }
    t.equal((await get(path, { 'if-modified-since': modified })).status, 304)
    t.equal((await get(path, { 'if-none-match': '"other"' })).status, 200)
    const head = await gallery.ask('HEAD', `/api/v1/photo${path}`, { token: gallery.token })
    t.match([head.status, head.text, Number(head.headers.get('content-length')) > 100], [200, '', true])
    const [bomb, plain] = await Promise.all([at('bomb.png'), at('big.png', '?w=31&h=31')])
    t.strictSame([bomb, plain], ['404', '31x31 jpeg image/jpeg'], 'a bomb is refused, others are served (IM-01)')
    for (const name of ['drawing.jpg', 'page.jpg']) {
      t.equal(await gallery.idOf(name), `no ${name}`, 'a file that is not a picture is not a photo (IM-02)')
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
        t.equal(headers.get('vary'), 'Authorization', 'BR-04')
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
    'signed URLs in replies need no token and are valid for one photo and one use; everything else needs an account',
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
