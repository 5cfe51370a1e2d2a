import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { getItem } from '../../src/core/catalogue/index.ts'
import { createLibrary, updateLibrary, type Library } from '../../src/core/libraries/index.ts'
import { listMetadataSources } from '../../src/core/metadata/index.ts'
import { disablePlugin, findPluginSandbox } from '../../src/core/plugins/index.ts'
import { listScanFailures, queueScan, runScanJob, type QueueableType } from '../../src/core/scanning/index.ts'
import { pick, startApp } from '../support/app.ts'
import { reachableDirectory } from '../support/directories.ts'
import { startFakeImageHost } from '../support/fake-image-host.ts'
import { startFakeTmdb } from '../support/fake-tmdb.ts'
import { tmdbFlags } from '../support/metadata.ts'
import { enableSample, installSource, waitForPlugin } from '../support/plugins.ts'
import { putSample } from '../support/scanning.ts'
import { testServices } from '../support/services.ts'
import { listWholeItems } from '../support/whole-items.ts'

const NAME = 'phlix-plugin-catalogue'

const images = await startFakeImageHost(t)
const tmdb = await startFakeTmdb(t, [{ id: 7, kind: 'movie', title: 'Both Have It', date: '2001-01-01' }])
const catalogue = {
  titles: [
    {
      id: 'home-1',
      kind: 'movie',
      name: 'Grandmother Tells',
      year: 1999,
      overview: 'A <b>story</b>.',
      genres: ['Family'],
      cast: [{ name: 'Ada', role: 'Herself' }],
      poster: `${images.origin}/red.jpg`,
      backdrop: 'javascript:alert(1)',
    },
    { id: 'both', kind: 'movie', name: 'Both Have It', year: 2001, overview: 'From the catalogue.' },
    {
      id: 'show',
      kind: 'tv',
      name: 'Our Show',
      seasons: [{ number: 1, episodes: [{ number: 1, name: 'The Beginning', overview: 'It begins.' }] }],
    },
  ],
}
const requests: string[] = []
const server = createServer((request, response) => {
  requests.push(request.url ?? '')
  response.end(JSON.stringify(catalogue))
})
await new Promise<void>((resolve) => {
  server.listen(0, '127.0.0.1', resolve)
})
t.teardown(() => server.close())
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const services = await testServices(t, { flags: { ...tmdbFlags(tmdb), 'artwork.mirror_origin': images.origin } })
const app = await startApp(t, { services })
const { token } = await app.registerAdmin()
const { level } = await findPluginSandbox(services)
const skip = level === 'weak' && 'the machine offers no isolation'
services.plugins.start()

async function run(library: Library, type: QueueableType) {
  const { id } = await queueScan(services, { libraryId: library.id, type })
  return runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, new AbortController().signal)
}

async function scanned(type: 'movie' | 'series', files: string[]): Promise<Library> {
  const folder = reachableDirectory(t)
  for (const file of files) await putSample(folder, file)
  const library = await createLibrary(services, { name: `Library of ${files[0]}`, type, path: folder })
  t.match(await run(library, 'scan'), { status: 'completed' })
  return library
}

async function findItem({ id }: Library, name: string) {
  const { items } = await listWholeItems(services, { libraryId: id, limit: 100, offset: 0 })
  const found = items.find((item) => item.name === name)
  if (found === undefined) throw new Error(`no ${name} among ${items.map((item) => item.name).join(', ')}`)
  return getItem(services, found.id)
}

void t.test(
  'the sample names films after a scan, and their pictures are fetched by the server',
  { skip },
  async (t) => {
    await enableSample(t, services, { name: NAME, settings: { url: `${origin}/titles.json` } })
    t.ok(listMetadataSources(services.metadata).includes(NAME))
    const library = await scanned('movie', ['grandmother tells (1999).mp4', 'Both Have It (2001).mp4'])
    t.match(await run(library, 'metadata'), { status: 'completed', itemsFailed: 0 })
    const film = await findItem(library, 'Grandmother Tells')
    t.match(film, {
      year: 1999,
      metadata: { overview: 'A <b>story</b>.', genres: ['Family'], external_ids: { [NAME]: 'home-1' } },
    })
    const { json } = await app.ask('GET', `/api/v1/media/${film.id}`, { token })
    const poster = String(pick(json, 'item', 'poster_url') ?? pick(json, 'poster_url'))
    t.equal((await app.ask('GET', poster)).status, 200)
    t.ok(images.requests.includes('/red.jpg'))
    t.match((await findItem(library, 'Both Have It')).metadata, { external_ids: { tmdb: '7' } }, 'TMDB is asked first')
    t.ok(requests.length > 0)
  },
)

void t.test('a library can want the plugin before TMDB', { skip }, async (t) => {
  const library = await scanned('movie', ['Both Have It (2001).mp4'])
  await updateLibrary(services, { libraryId: library.id, metadataPriority: { movie: ['nfo', NAME, 'tmdb'] } })
  t.match(await run(library, 'metadata'), { status: 'completed' })
  const { metadata } = await findItem(library, 'Both Have It')
  t.match(metadata, { overview: 'From the catalogue.', external_ids: { [NAME]: 'both' } })
})

void t.test('a series gets its episodes from the plugin', { skip }, async (t) => {
  const library = await scanned('series', ['Our Show/Season 1/Our Show S01E01.mp4'])
  t.match(await run(library, 'metadata'), { status: 'completed' })
  t.match(await findItem(library, 'The Beginning'), { type: 'episode', metadata: { overview: 'It begins.' } })
})

/** Answers that break every expectation, by title. */
const HOSTILE = `
const big = 'x'.repeat(2_000_000)
const nested = JSON.parse('['.repeat(25) + ']'.repeat(25))
const answers = {
  'a garbage': 5,
  'b list of garbage': [null, 1, 'x', [], { id: {}, title: [] }, { id: '' }, { id: 'a b', title: 'b list of garbage' }],
  'c late': new Promise(() => {}),
  'd numbers': [{ id: 1, title: 'd numbers', year: 1e300 }],
  'e huge': [{ id: 'x', title: 'e huge', overview: big }],
  'f nested': nested,
}
export default class {
  searchTitles({ title }) {
    if (title === 'g throws') throw new Error('broken\\u001b[31m\\u0000')
    return answers[title.toLowerCase()] ?? [{ id: title.toLowerCase().replaceAll(' ', '-'), title }]
  }
  readTitle({ id }) {
    if (id === '1') return { name: '\\u0000\\ud800', year: -5, seasons: 7, genres: { a: 1 }, poster: 'file:///etc/passwd', external_ids: { tmdb: {}, imdb: 'tt1; drop' }, vote_average: 1e400 }
    if (id === 'i-private-poster') return { name: 'I Private Poster', overview: 'o', poster: '${origin}/secret.jpg' }
    return { name: 'n'.repeat(100_000), titles: Array(1000).fill('t'), overview: 'o'.repeat(100_000), cast: Array(1000).fill({ name: 'a', role: 5 }) }
  }
}`

void t.test('hostile answers fail their own item, or are cut to size (PI-08)', { skip }, async (t) => {
  await disablePlugin(services, NAME)
  const name = 'phlix-plugin-hostile-titles'
  await installSource(t, services, { name, type: 'metadata-provider', events: [], source: HOSTILE, isEnabled: true })
  await waitForPlugin(services, name)
  const words = ['a garbage', 'b list of garbage', 'd numbers', 'f nested', 'g throws', 'h long', 'i private poster']
  const library = await scanned(
    'movie',
    words.map((word) => `${word}.mp4`),
  )
  const job = await run(library, 'metadata')
  t.equal(job.status, 'completed')
  const failures = await listScanFailures(services, { scanJobId: job.id })
  const codes = Object.fromEntries(failures.map(({ path, code }) => [path?.replace(/.*\//, '') ?? '', code]))
  t.strictSame(codes, {
    'a garbage.mp4': 'metadata.source_failed',
    'b list of garbage.mp4': 'metadata.no_match',
    'f nested.mp4': 'metadata.no_match',
    'g throws.mp4': 'metadata.source_failed',
  })
  const { items } = await listWholeItems(services, { libraryId: library.id, limit: 100, offset: 0 })
  const long = items.find((item) => item.name.startsWith('nnn'))
  t.equal(long?.name.length, 500)
  t.equal((await getItem(services, long?.id ?? '')).metadata['overview']?.toString().length, 10_000)
  t.ok(
    items.some((item) => item.name === 'd numbers' && item.year === null),
    'values of another form are absent',
  )
  const private_ = items.find((item) => item.name === 'I Private Poster')
  const { json } = await app.ask('GET', `/api/v1/media/${private_?.id}`, { token })
  const poster = String(pick(json, 'item', 'poster_url') ?? pick(json, 'poster_url'))
  t.equal((await app.ask('GET', poster)).status, 404, 'a private address is not asked')
  t.notOk(requests.includes('/secret.jpg'))
})
