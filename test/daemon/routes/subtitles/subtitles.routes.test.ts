import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { getItem, listItems } from '../../../../src/core/catalogue/index.ts'
import { readItemSubtitle, joinSubtitleFiles } from '../../../../src/core/subtitles/index.ts'
import { pick, startApp, type TestApp } from '../../../support/app.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import {
  chapter,
  chapters,
  CLUSTER,
  EBML,
  element,
  info,
  number,
  segmentOf,
  TRACKS,
} from '../../../support/header-bytes.ts'
import { sampleMedia } from '../../../support/media.ts'
import { filmWithPictures } from '../../../core/streaming/drawn-subtitles.ts'
import { scanLibrary } from '../../../support/scan-library.ts'

const SRT = '1\r\n00:00:01,000 --> 00:00:02,000\r\nПривет, мир\r\n'

/** Encodes as Windows-1251: a Cyrillic letter is 0x350 below its code point. */
function windows1251(text: string): Buffer {
  return Buffer.from(text.split('').map((char) => (char > '\u{7F}' ? char.charCodeAt(0) - 0x350 : char.charCodeAt(0))))
}

/** Films with subtitles of every kind; one server for all tests. */
async function setUp(t: Test) {
  const server = await startApp(t)
  const folder = reachableDirectory(t)
  const put = async (name: string, kind: Parameters<typeof sampleMedia>[0]): Promise<void> =>
    copyFileSync(await sampleMedia(kind), join(folder, name))
  await put('Tracks (2001).mkv', 'film-subtitles-mkv')
  await put('Timed (2002).mp4', 'film-subtitles-mp4')
  await put('Plain (2003).mkv', 'film-tracks-mkv')
  await put('Silent (2004).mp4', 'film-silent-mp4')
  copyFileSync(await filmWithPictures([{ from: 3, until: 9 }]), join(folder, 'Pictures (2005).mkv'))
  writeFileSync(join(folder, 'Tracks (2001).ru.forced.srt'), windows1251(SRT))
  writeFileSync(join(folder, 'Tracks (2001).en.sdh.vtt'), 'WEBVTT\n\n00:01.000 --> 00:02.000\n(door) a --> b\n')
  writeFileSync(join(folder, 'Silent (2004).srt'), SRT)
  const library = await scanLibrary(server.services, { folder, type: 'movie' })
  const { items } = await listItems(server.services, { libraryId: library.id, limit: 50, offset: 0 })
  const idOf = (title: string): string => items.find(({ name }) => name === title)?.id ?? ''
  const { token } = await server.registerUser()
  return { ...server, folder, token, idOf }
}

/** The tracks of an item as the API lists them. */
async function tracksOf({ ask }: TestApp, token: string, id: string): Promise<Record<string, unknown>[]> {
  const { status, json } = await ask('GET', `/api/v1/media/${id}/subtitles`, { token })
  t.equal(status, 200)
  return pick(json, 'tracks') as Record<string, unknown>[]
}

void t.test('subtitles in films and beside them', async (t) => {
  const server = await setUp(t)
  const { ask, token, idOf, services, folder } = server

  await t.test('all text tracks are listed with language, label, marks and a signed address', async (t) => {
    const tracks = await tracksOf(server, token, idOf('Tracks'))
    t.match(tracks, [
      {
        index: 0,
        stream_index: 2,
        language: 'en',
        label: 'English',
        codec: 'subrip',
        source: 'embedded',
        default: false,
      },
      { index: 1, stream_index: 3, language: 'de', label: 'German · Schilder', codec: 'ass', default: true },
      { index: 2, stream_index: 4, language: 'fr', label: 'French', codec: 'webvtt' },
      { index: 3, stream_index: null, language: 'en', label: 'English (SDH)', codec: 'vtt', hearing_impaired: true },
      { index: 4, language: 'ru', label: 'Russian (forced)', codec: 'srt', source: 'external', forced: true },
    ])
    t.equal(new Set(tracks.map(({ id }) => id)).size, 5)
    const again = await tracksOf(server, token, idOf('Tracks'))
    t.strictSame(
      again.map(({ id }) => id),
      tracks.map(({ id }) => id),
      'and again the same',
    )
    t.match(await tracksOf(server, token, idOf('Timed')), [{ index: 0, codec: 'mov_text', language: 'en' }])
    t.match(await tracksOf(server, token, idOf('Plain')), [{ index: 0, label: 'English (forced)', forced: true }])
  })

  await t.test(
    'picture subtitles are listed separately, with the reason, and burned into the video on request',
    async (t) => {
      const id = idOf('Pictures')
      const { json } = await ask('GET', `/api/v1/media/${id}/subtitles`, { token })
      t.match(json, {
        tracks: [],
        other_tracks: [
          {
            index: 0,
            stream_index: 2,
            language: 'en',
            label: 'English',
            codec: 'hdmv_pgs_subtitle',
            reason: 'pictures',
            can_be_drawn: true,
          },
        ],
      })
      t.match(pick(json, 'other_tracks', 0, 'message'), /are images \(PGS\), not text/)
      const start = (query: string) => ask('POST', `/api/v1/media/${id}/transcode${query}`, { token })
      const [plain, drawn, again] = [await start(''), await start('?subtitle=0'), await start('?subtitle=0')]
      t.equal(drawn.status, 200)
      t.not(pick(drawn.json, 'job_id'), pick(plain.json, 'job_id'), 'others watch without')
      t.match(again.json, { job_id: pick(drawn.json, 'job_id'), reused: true })
      t.match(await start(''), { json: { job_id: pick(plain.json, 'job_id'), reused: true } })
      t.equal(pick(plain.json, 'variants', 0, 'is_copy'), true)
      t.equal(pick(drawn.json, 'variants', 0, 'is_copy'), false)
      for (const [of, query] of [
        [id, '?subtitle=1'],
        [idOf('Tracks'), '?subtitle=0'],
      ] as const) {
        const refused = await ask('POST', `/api/v1/media/${of}/transcode${query}`, { token })
        t.match(refused, { status: 422, json: { code: 'subtitle_not_drawable' } })
      }
      t.equal((await ask('GET', `/api/v1/media/${id}/subtitles/0`, { token })).status, 404, 'there is no text')
      t.match((await ask('GET', `/api/v1/media/${idOf('Tracks')}/subtitles`, { token })).json, { other_tracks: [] })
    },
  )

  await t.test('each of them is read as WebVTT through its address alone', async (t) => {
    const words = ['Hello', 'Hallo', 'Salut', '(door) a --&gt; b', 'Привет, мир']
    for (const [index, { url }] of (await tracksOf(server, token, idOf('Tracks'))).entries()) {
      const { status, headers, text } = await ask('GET', String(url))
      t.equal(status, 200)
      t.equal(headers.get('content-type'), 'text/vtt; charset=utf-8')
      // Matroska reserves time for the first audio packet, so all times in the file are 21 ms later.
      t.match(text, /^WEBVTT\n\n00:00:01\.0[02]\d --> 00:00:02\.0[02]\d\n/)
      t.ok(text.endsWith(`\n${words[index]}\n`), text)
    }
    const [timed] = await tracksOf(server, token, idOf('Timed'))
    t.match((await ask('GET', String(timed?.['url']))).text, /00:00:01\.000 --> 00:00:02\.000\nHello/)
  })

  await t.test('on the clock of a stream they begin as much earlier as the picture does later', async (t) => {
    const item = await getItem(services, idOf('Tracks'))
    const clock = { videoStartMicroseconds: 521_000, containerStartMicroseconds: 0 }
    const read = (index: number, on: typeof clock) =>
      joinSubtitleFiles(services, [{ item, index, clock: on, startMicroseconds: 0 }], { streamClockTicks: 900_000 })
    for (const index of [0, 1, 2]) {
      const text = await read(index, clock)
      t.match(
        text,
        /^WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00\.000\n\n00:00:00\.(?:499|500) --> 00:00:01\./,
      )
    }
    t.match(await read(3, clock), /00:00:00\.479 --> 00:00:01\.479/)
    const late = { videoStartMicroseconds: 5_001_000_000, containerStartMicroseconds: 5_000_000_000 }
    t.match(await read(3, late), /00:00:00\.000 --> 00:00:01\.000/)
  })

  await t.test('a film is read once, however many ask, and then no more', async (t) => {
    const { mediaTools } = services
    const before = await getItem(services, idOf('Tracks'))
    // A changed file under the same name is read again.
    copyFileSync(await sampleMedia('film-subtitles-mkv'), join(folder, 'copy.mkv'))
    renameSync(join(folder, 'copy.mkv'), join(folder, 'Tracks (2001).mkv'))
    let runs = 0
    const encode = mediaTools.encode.bind(mediaTools)
    mediaTools.encode = (...words) => {
      runs += 1
      return encode(...words)
    }
    t.teardown(() => (mediaTools.encode = encode))
    const read = (index: number) => readItemSubtitle(services, { item: before, index })
    await Promise.all([0, 1, 2, 0, 1, 2].map(read))
    await read(1)
    t.equal(runs, 1)
  })

  await t.test('a search for subtitles to download is no number of a track', async (t) => {
    const search = (id: string) => ask('GET', `/api/v1/media/${id}/subtitles/search?lang=en,es`, { token })
    t.match(await search(idOf('Tracks')), { status: 200, json: { candidates: [], message: /provider/ } })
    t.match(await search('x'), { status: 404, json: { code: 'media_item_not_found' } })
    t.equal((await ask('GET', `/api/v1/media/${idOf('Tracks')}/subtitles/search`)).status, 401)
  })

  await t.test(
    'a value that is no track number is not found, and a signature is valid for one track only',
    async (t) => {
      const id = idOf('Tracks')
      for (const index of ['5', '-1', '00', '1e0', '0x1', '0.5', ' ', '99999', '0.vtt']) {
        const path = `/api/v1/media/${id}/subtitles/${encodeURIComponent(index)}`
        const { status, json } = await ask('GET', path, { token })
        t.match({ status, json }, { status: 404, json: { code: 'subtitle_not_found' } }, index)
      }
      const url = String((await tracksOf(server, token, id))[0]?.['url'])
      t.equal((await ask('GET', url.replace('/subtitles/0', '/subtitles/1'))).status, 403)
      t.equal((await ask('GET', url.replace('/subtitles/0', '/subtitles/00'))).status, 403)
      t.equal((await ask('GET', url.split('?')[0] ?? '')).status, 401)
      t.equal((await ask('HEAD', url)).status, 200)
      t.equal((await ask('GET', '/api/v1/media/not-an-id/subtitles', { token })).status, 404)
    },
  )

  await t.test('a missing, too large or binary subtitle file does not affect other tracks', async (t) => {
    const id = idOf('Silent')
    const path = join(folder, 'Silent (2004).srt')
    const read = async () => ask('GET', `/api/v1/media/${id}/subtitles/0`, { token })
    t.match((await read()).text, /Привет/)
    writeFileSync(path, Buffer.alloc(16 * 1024 * 1024 + 1, 'a'))
    t.match(await read(), { status: 400, json: { code: 'subtitle_too_large' } })
    writeFileSync(path, Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * 7919) % 256)))
    t.match(await read(), { status: 200, text: 'WEBVTT\n' })
    writeFileSync(path, '')
    t.match(await read(), { status: 200, text: 'WEBVTT\n' })
    rmSync(path)
    t.match(await read(), { status: 404 })
  })

  await t.test('chapters have titles', async (t) => {
    const path = `/api/v1/media/${idOf('Plain')}/chapters`
    const { json } = await ask('GET', path, { token })
    const pictures = [0, 1].map((number) => pick(json, 'chapters', number, 'thumbnail_url'))
    for (const [number, url] of pictures.entries()) t.ok(String(url).startsWith(`${path}/${number}/thumbnail?exp=`))
    t.strictSame(json, {
      chapters: [
        { start_seconds: 0, end_seconds: 1.5, title: 'Opening', thumbnail_url: pictures[0] },
        { start_seconds: 1.5, end_seconds: 4, title: 'The rest', thumbnail_url: pictures[1] },
      ],
    })
    t.strictSame((await ask('GET', `/api/v1/media/${idOf('Timed')}/chapters`, { token })).json, { chapters: [] })
  })

  await t.test(
    'FN-03: a film with 5,000 streams, 100,000 chapters, a title of a megabyte and an attachment that leads out',
    async (t) => {
      const outside = reachableDirectory(t)
      const inside = join(outside, 'a', 'b')
      mkdirSync(inside, { recursive: true })
      writeFileSync(join(inside, 'Hostile (2005).mkv'), hostileFilm())
      copyFileSync(await sampleMedia('film-silent-mp4'), join(inside, 'Innocent (2006).mp4'))
      const library = await scanLibrary(services, { folder: inside, type: 'movie' })
      const { items } = await listItems(services, { libraryId: library.id, limit: 50, offset: 0 })
      t.strictSame(items.map(({ name }) => name).toSorted(), ['Hostile', 'Innocent'], 'the scan continues')
      const id = items.find(({ name }) => name === 'Hostile')?.id ?? ''
      const detail = await ask('GET', `/api/v1/media/${id}`, { token })
      t.ok((pick(detail.json, 'streams') as unknown[]).length <= 500)
      const { json } = await ask('GET', `/api/v1/media/${id}/chapters`, { token })
      const chapters = pick(json, 'chapters') as { title: string }[]
      t.ok(chapters.length <= 1000 && chapters.every(({ title }) => title.length <= 200))
      const tracks = await tracksOf(server, token, id)
      t.ok(tracks.length > 0 && tracks.length <= 500, `${tracks.length} tracks`)
      // ffmpeg does not open files with more than a thousand streams.
      t.match(await ask('GET', String(tracks.at(-1)?.['url'])), { status: 503, json: { code: 'subtitle_unavailable' } })
      const written = [outside, services.config.dataDirectory].flatMap((root) =>
        readdirSync(root, { recursive: true, encoding: 'utf8' }),
      )
      t.strictSame(
        written.filter((name) => name.endsWith('.ttf')),
        [],
        'nothing that the film names is written',
      )
    },
  )
})

/** A film of headers only: one audio track, 4,999 text tracks. */
function hostileFilm(): Buffer {
  const text = (uid: number): Buffer =>
    element(
      0xae,
      Buffer.concat([
        number(0xd7, uid),
        number(0x73_c5, uid),
        number(0x83, 17),
        element(0x86, Buffer.from('S_TEXT/UTF8')),
      ]),
    )
  const tracks = Buffer.concat([TRACKS.subarray(12), ...Array.from({ length: 4999 }, (_, index) => text(index + 2))])
  const many = Array.from({ length: 100_000 }, (_, index) => chapter(index + 2, `${index}`))
  const file = Buffer.concat([
    element(0x46_6e, Buffer.from('../../x.ttf')),
    element(0x46_60, Buffer.from('application/x-truetype-font')),
    element(0x46_5c, Buffer.from('no font')),
    number(0x46_ae, 7),
  ])
  return Buffer.concat([
    EBML,
    segmentOf(
      info(1000),
      element(0x16_54_ae_6b, tracks),
      chapters(chapter(1, 'x'.repeat(2 ** 20)), ...many),
      element(0x19_41_a4_69, element(0x61_a7, file)),
      CLUSTER,
    ),
  ])
}
