import { execFile } from 'node:child_process'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import HLS from 'hls-parser'
import sharp from 'sharp'
import t from 'tap'
import { listItemParts } from '../../../../src/core/catalogue/index.ts'
import { sampleMedia } from '../../../support/media.ts'
import { pick, scanFilms, startApp } from '../../../support/app.ts'
import { scanAgain } from '../../../support/scan-library.ts'
import { fileOfItem, filmWithSet, makeSet } from '../../../core/analysis/trickplay/made-set.ts'
import { parseXml } from '../../../core/analysis/trickplay/strict-xml.ts'
import { analysedFilm } from '../../../core/analysis/analysed-film.ts'
import { shownSeconds, timeFilm } from '../../../core/analysis/time-films.ts'

const server = await startApp(t)
const { ask, baseUrl, services } = server
const { token } = await server.registerUser()
const { itemId } = await filmWithSet(t, services, await timeFilm('constant'))
const bare = await analysedFilm(t, services, await timeFilm('short'))
const { library, folder, idOf } = await scanFilms(t, services, { 'Das Boot (1981) cd1.mkv': 'film-tracks-mkv' })
await copyFile(await timeFilm('constant'), join(folder, 'Das Boot (1981) cd2.mkv'))
await scanAgain(services, library.id)

const UUID = '00000000-0000-4000-8000-000000000000'

const trickplayOf = (id: string) => ask('GET', `/api/v1/media/${id}/trickplay`, { token })
const { json } = await trickplayOf(itemId)
const url = (name: string): string => String(pick(json, name))

async function fetchBytes(path: string, headers: Record<string, string> = {}) {
  const reply = await fetch(`${baseUrl}${path}`, { headers })
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) }
}

void t.test('the description has an address for each form, signed for a player without a token', async (t) => {
  t.match(json, {
    item_id: itemId,
    sprite_columns: 10,
    sprite_rows: 6,
    interval_seconds: 10,
    thumbnail_width: 160,
    thumbnail_height: 90,
    columns: 8,
    rows: 4,
    thumbnail_count: 7,
    grids: [{ start_seconds: 0, count: 7 }],
  })
  t.strictSame(
    pick(json, 'timeline'),
    Array.from({ length: 7 }, (_, frame) => ({ seconds: frame * 10, frame })),
  )
  const types: Record<string, string> = {
    sprite_url: 'image/jpeg',
    timeline_url: 'application/json; charset=utf-8',
    index_url: 'application/xml; charset=utf-8',
    vtt_url: 'text/vtt; charset=utf-8',
    bif_url: 'application/octet-stream',
    playlist_url: 'application/vnd.apple.mpegurl',
  }
  for (const [name, type] of Object.entries(types)) {
    const { status, headers, bytes } = await fetchBytes(url(name))
    t.equal(status, 200, name)
    t.equal(headers.get('content-type'), type, name)
    t.ok(bytes.length > 50)
    const path = url(name).split('?')[0] ?? ''
    t.equal((await fetchBytes(path)).status, 401, `${name} without a signature`)
    t.equal((await ask('GET', path, { token })).status, 200, `${name} with a token`)
    t.equal((await fetchBytes(url(name).replace(itemId, bare.itemId))).status, 403, `${name} of another item`)
    t.equal((await ask('HEAD', url(name))).status, 200, `HEAD of ${name}`)
  }
})

void t.test('each byte range of the index is one picture', async (t) => {
  const index = await fetchBytes(url('index_url'))
  const thumbs = parseXml(index.bytes.toString()).children[0]?.children ?? []
  t.equal(thumbs.length, 7)
  const grid = String(pick(json, 'grids', 0, 'url'))
  const whole = await fetchBytes(grid)
  t.match(await sharp(whole.bytes).metadata(), { width: 1280, height: 360 })
  for (const { attributes } of thumbs) {
    const [offset, length] = [Number(attributes['offset']), Number(attributes['length'])]
    const range = `bytes=${offset}-${offset + length - 1}`
    const part = await fetchBytes(grid, { range })
    t.equal(part.status, 206)
    t.equal(part.headers.get('content-range'), `${range.replace('=', ' ')}/${whole.bytes.length}`)
    t.match(await sharp(part.bytes).metadata(), { format: 'jpeg', width: 160, height: 90 })
  }
  t.equal((await fetchBytes(grid, { range: 'bytes=99999999-' })).status, 416)
})

void t.test('files with the version in their address are cached for ever, others are asked for again', async (t) => {
  for (const name of ['sprite_url', 'index_url', 'bif_url']) {
    const current = await fetchBytes(url(name))
    t.equal(current.headers.get('cache-control'), 'private, max-age=31536000, immutable', name)
    const other = await fetchBytes(url(name).replace(/&v=.*/, '&v=1'))
    t.equal(other.headers.get('cache-control'), 'private, no-cache')
    const etag = { 'if-none-match': other.headers.get('etag') ?? '' }
    t.equal((await fetchBytes(url(name), etag)).status, 304)
  }
})

void t.test('the sprite has ten columns of six rows, and a frame for each time', async (t) => {
  const { bytes } = await fetchBytes(url('sprite_url'))
  t.match(await sharp(bytes).metadata(), { format: 'jpeg', width: 1600, height: 540 })
  const levels = await sharp(bytes).greyscale().raw().toBuffer()
  // Later pictures of this film are brighter.
  const level = (frame: number) => levels[45 * 1600 + frame * 160 + 80] ?? 0
  for (let frame = 1; frame < 7; frame += 1) t.ok(level(frame) > level(frame - 1) + 10, `frame ${frame}`)
  t.ok(level(7) < 5, 'cells without a picture are black')
})

void t.test('the storyboard and the image playlist refer to grids that a player can load', async (t) => {
  const vtt = (await fetchBytes(url('vtt_url'))).bytes.toString()
  const cues = [...vtt.matchAll(/^(\S+) --> (\S+)\n(\S+)#xywh=(\d+),(\d+),160,90$/gm)]
  t.equal(cues.length, 7)
  t.equal(cues[6]?.[1], '00:01:00.000')
  t.match(cues[6]?.[2], /^00:01:04\.\d{3}$/)
  for (const [, , , address = '', x, y] of cues) {
    t.equal((await fetchBytes(address)).status, 200)
    t.ok(Number(x) < 1280 && Number(y) < 360)
  }
  const text = (await fetchBytes(url('playlist_url'))).bytes.toString()
  const address = text.split('\n').find((line) => line.startsWith('/')) ?? ''
  t.equal((await fetchBytes(address)).headers.get('content-type'), 'image/jpeg')
})

void t.test('addresses in a reply to a signed address expire at the same time as that address', async (t) => {
  const { exp, sig } = services.signer.sign(`/trickplay/${itemId}/`, 60)
  const vtt = (await fetchBytes(`/trickplay/${itemId}/storyboard.vtt?exp=${exp}&sig=${sig}`)).bytes.toString()
  for (const [, expires] of vtt.matchAll(/exp=(\d+)/g)) t.equal(Number(expires), exp)
})

void t.test('an item without pictures, an unknown item and a hostile name are not found', async (t) => {
  for (const id of [bare.itemId, UUID, 'x', '..', '%2e%2e', '..%2f..%2fetc']) {
    const { status, json } = await trickplayOf(id)
    t.equal(status, 404, id)
    if (id === bare.itemId) t.match(json, { code: 'trickplay_not_found' })
    for (const file of ['thumb-0.jpg', 'index.xml', 'sprite.jpg', 'storyboard.vtt']) {
      t.equal((await ask('GET', `/trickplay/${id}/${file}`, { token })).status, 404, `${id} ${file}`)
    }
  }
  const names = [
    'thumb-00.jpg',
    'thumb--1.jpg',
    'thumb-1.jpg',
    'thumb-99999999999.jpg',
    'thumb-0.jpg%00',
    '.',
    '..',
    'x',
  ]
  const hostile = [
    ...names,
    '..%2findex.xml',
    'index.xml%2f..',
    '%2e%2e%2f%2e%2e%2fphlix.key',
    'INDEX.XML',
    'index.xml.',
  ]
  for (const name of hostile) t.equal((await ask('GET', `/trickplay/${itemId}/${name}`, { token })).status, 404, name)
})

void t.test('a transcode job has the pictures of its item, and its master playlist names them', async (t) => {
  const start = async (id: string) => (await ask('POST', `/api/v1/media/${id}/transcode?profile=web`, { token })).json
  const job = await start(itemId)
  const jobId = String(pick(job, 'job_id'))
  const { text } = await ask('GET', String(pick(job, 'master_url')))
  const line = /^#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=\d+,RESOLUTION=160x90,CODECS="jpeg",URI="([^"]+)"$/m.exec(text)
  t.match(line?.[1], new RegExp(`^/trickplay/${jobId}/images.m3u8\\?exp=\\d+&sig=`))
  const playlist = await ask('GET', line?.[1] ?? '')
  t.equal(playlist.status, 200)
  t.match(playlist.text, '#EXT-X-IMAGES-ONLY')
  const index = await ask('GET', `/trickplay/${jobId}/index.xml`, { token })
  t.match(index.headers.get('content-type'), /^application\/xml/)
  const { exp, sig } = services.signer.sign(`/trickplay/${jobId}/`)
  const signature = `?exp=${exp}&sig=${sig}`
  t.equal((await ask('GET', `/trickplay/${jobId}/thumb-0.jpg${signature}`)).status, 200)
  t.equal((await ask('GET', `/trickplay/${itemId}/thumb-0.jpg${signature}`)).status, 403)
  const parsed = HLS.parse(text) as HLS.types.MasterPlaylist
  t.ok(parsed.variants.length > 0)
  const address = `${baseUrl}${String(pick(job, 'master_url'))}`
  const entries = ['-v', 'error', '-show_entries', 'stream=codec_type', '-of', 'csv=p=0']
  const { stdout } = await promisify(execFile)('ffprobe', [...entries, address])
  t.match(stdout, /video[\s\S]*audio/, 'ffmpeg plays it')
  const without = await ask('GET', String(pick(await start(bare.itemId), 'master_url')))
  t.equal(without.status, 200)
  t.notMatch(without.text, 'IMAGE-STREAM')
})

void t.test('a film of several files has one time line, and the part without pictures leaves a gap', async (t) => {
  const boot = idOf('Das Boot')
  t.equal((await trickplayOf(boot)).status, 404)
  const [part] = await listItemParts(services, boot)
  await makeSet(services, await fileOfItem(services, part?.id ?? ''))
  const second = (await trickplayOf(boot)).json
  const first = (await fileOfItem(services, boot)).durationSeconds ?? 0
  t.ok(first > 3 && first < 6)
  t.equal(pick(second, 'timeline', 0, 'seconds'), first)
  await makeSet(services, await fileOfItem(services, boot))
  const both = (await trickplayOf(boot)).json
  t.strictSame(
    (pick(both, 'timeline') as { seconds: number }[]).map(({ seconds }) => seconds),
    [0, ...[0, 10, 20, 30, 40, 50, 60].map((seconds) => first + seconds)],
  )
  t.match(both, {
    thumbnail_count: 8,
    grids: [
      { start_seconds: 0, count: 1 },
      { start_seconds: first, count: 7 },
    ],
  })
  for (const [place, id] of [boot, part?.id].entries())
    t.match(pick(both, 'grids', place, 'url'), new RegExp(`^/trickplay/${id}/thumb-0.jpg`))
  const bif = await fetchBytes(String(pick(both, 'bif_url')))
  t.equal(bif.bytes.readUInt32LE(12), 8)
  t.not(pick(both, 'sprite_url'), pick(second, 'sprite_url'), 'the version changes with each file')
})

const CHAPTERS = [0, 25, 60].map((startSeconds) => ({ startSeconds, endSeconds: startSeconds + 5, title: null }))

void t.test(
  'a chapter has the picture of the time line at or before its start, else a frame of the film',
  async (t) => {
    const film = await analysedFilm(t, services, await timeFilm('constant'), { chapters: CHAPTERS })
    const addresses = async () => {
      const { json } = await ask('GET', `/api/v1/media/${film.itemId}/chapters`, { token })
      return CHAPTERS.map((_, number) => String(pick(json, 'chapters', number, 'thumbnail_url')))
    }
    const shown = async (address: string) => {
      const { status, headers, bytes } = await fetchBytes(address)
      t.equal(status, 200)
      t.equal(headers.get('content-type'), 'image/jpeg')
      t.match(await sharp(bytes).metadata(), { format: 'jpeg', width: 160, height: 90 })
      const etag = { 'if-none-match': headers.get('etag') ?? '' }
      t.equal((await fetchBytes(address, etag)).status, 304)
      return shownSeconds(await sharp(bytes).toColourspace('srgb').removeAlpha().raw().toBuffer())
    }
    for (const makes of [false, true]) {
      if (makes) await makeSet(services, film)
      for (const [number, address] of (await addresses()).entries()) {
        const startSeconds = CHAPTERS[number]?.startSeconds ?? 0
        const seconds = await shown(address)
        t.ok(seconds <= startSeconds + 1 && seconds >= startSeconds - 10, `${startSeconds}: ${seconds}`)
      }
    }
    const [first = ''] = await addresses()
    const path = first.split('?')[0] ?? ''
    t.equal((await fetchBytes(path)).status, 401)
    t.equal((await fetchBytes(first.replace('/chapters/0/', '/chapters/1/'))).status, 403)
    for (const number of ['3', '-1', '00', '1e0', '99999', 'x', '%2e%2e']) {
      const other = path.replace('/chapters/0/', `/chapters/${number}/`)
      t.equal((await ask('GET', other, { token })).status, 404, number)
    }
  },
)

void t.test('the chapters of an item without video have no pictures', async (t) => {
  const song = await analysedFilm(t, services, await sampleMedia('tagged-m4a'), { chapters: CHAPTERS })
  const { json } = await ask('GET', `/api/v1/media/${song.itemId}/chapters`, { token })
  t.equal(pick(json, 'chapters', 0, 'thumbnail_url'), null)
  t.equal((await ask('GET', `/api/v1/media/${song.itemId}/chapters/0/thumbnail`, { token })).status, 404)
})
