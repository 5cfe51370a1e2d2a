import { copyFileSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { sampleMedia } from '../../support/media.ts'
import { runPhlix, temporaryDataDirectory } from '../../support/phlix.ts'

const data = await temporaryDataDirectory(t)
/** An unreachable database: the command needs none. */
const environment = { DB_HOST: '127.0.0.1', DB_PORT: '1' }
const run = (...words: string[]) => runPhlix([...words, '--data-dir', data], { environment })
const json = async (...words: string[]) => {
  const { code, stdout } = await run(...words, '--json')
  return { code, document: JSON.parse(stdout) as Record<string, unknown> }
}

const folder = t.testdir({ films: { 'Film Noir (1999) [imdbid-tt0133093]': {} } })
const film = join(folder, 'films/Film Noir (1999) [imdbid-tt0133093]/disc.mkv')
copyFileSync(await sampleMedia('film-tracks-mkv'), film)

void t.test('a film is described as a scan reads it: name, headers, streams', async (t) => {
  const { code, document } = await json('media:inspect', film)
  t.equal(code, 0)
  t.match(document, {
    schema: 'media.inspect/1',
    path: film,
    root: join(folder, 'films'),
    library_type: 'movie',
    size_bytes: Number,
    item: { type: 'movie', name: 'Film Noir', year: 1999, metadata: { external_ids: { imdb: 'tt0133093' } } },
    canonical_key: /^movie:\d+:disc\.mkv$/,
    read_error: null,
    media: {
      container: 'mkv',
      duration_seconds: Number,
      streams: [
        { type: 'video', codec: 'h264', pixel_format: 'yuv420p', is_default: false },
        {},
        { language: 'ger' },
        {},
      ],
      source: { width: 320, height: 180, video_codec: 'h264' },
      chapters: [{ title: 'Opening', start_seconds: 0 }, {}],
    },
  })
  const { stdout } = await run('media:inspect', film)
  t.match(stdout, /^item +movie "Film Noir" \(1999\) /m)
  t.match(stdout, /^stream 1 +audio aac 2 channels eng Stereo default$/m)
  t.strictSame(readdirSync(data), [], 'nothing was opened or made')
})

void t.test('--type and --root select the library of the file', async (t) => {
  const { document } = await json('media:inspect', film, '--root', folder, '--type', 'book')
  t.match(document, { root: folder, library_type: 'book', item: null, canonical_key: null })
  t.match((await run('media:inspect', film, '--type', 'book')).stdout, /^item +none: such a library ignores it$/m)
  t.equal((await run('media:inspect', film, '--type', 'films')).code, 2)
})

void t.test('an unreadable file exits 3 with the reason; the facts of its name are printed anyway', async (t) => {
  const noise = join(folder, 'films/Noise (2002).mkv')
  writeFileSync(noise, Buffer.alloc(5000, 7))
  const { code, document } = await json('media:inspect', noise)
  t.equal(code, 3)
  t.match(document, { item: { name: 'Noise', year: 2002 }, media: null, read_by: null, read_error: { reason: String } })
  t.match(await run('media:inspect', noise), { code: 3, stdout: /^unreadable +.+/m })
})

void t.test('a missing file, a pipe and a folder exit 66', async (t) => {
  for (const path of [join(folder, 'nothing.mkv'), join(film, 'below.mkv'), folder, '/dev/null']) {
    t.match(await json('media:inspect', path), { code: 66, document: { error: { code: 'file_not_found' } } }, path)
  }
  t.equal((await run('media:inspect')).code, 2)
})

void t.test(
  'names with control characters cannot move the cursor, and links are not followed out of the library',
  async (t) => {
    const odd = join(folder, 'films', 'Odd\u001B[2J (2003).mkv')
    copyFileSync(film, odd)
    t.notMatch((await run('media:inspect', odd)).stdout, '\u001B')
    mkdirSync(join(folder, 'links'))
    const link = join(folder, 'links', 'Link (2004).mkv')
    symlinkSync(await sampleMedia('film-tiny-mp4'), link)
    const { code, document } = await json('media:inspect', link, '--root', join(folder, 'links'))
    t.match({ code, document }, { code: 3, document: { media: null, read_error: { code: String } } })
  },
)
