import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'slonik'
import t from 'tap'
import { createAccount } from '../../src/core/accounts/index.ts'
import { disablePlugin, findPluginSandbox } from '../../src/core/plugins/index.ts'
import { queueScan, runScanJob } from '../../src/core/scanning/index.ts'
import { pick, scanFilms, startApp } from '../support/app.ts'
import { enableSample, installSource, waitForPlugin } from '../support/plugins.ts'

const NAME = 'phlix-plugin-subtitle-folder'
const SRT = '1\n00:00:01,000 --> 00:00:02,000\n<i>Hello</i> <script>alert(1)</script>\n'

const files: Record<string, string> = {
  '/index.json': JSON.stringify({
    subtitles: [
      { file: 'first.en.srt', title: 'First', year: 1999, language: 'en' },
      { file: 'first.de.srt', title: 'First', year: 1999, language: 'de' },
      { file: 'other.en.srt', title: 'Other', year: 1999, language: 'en' },
    ],
  }),
  '/first.en.srt': SRT,
  '/first.de.srt': 'This is no subtitle.',
}
const server = createServer((request, response) => {
  const text = files[request.url ?? '']
  response.writeHead(text === undefined ? 404 : 200).end(text)
})
await new Promise<void>((resolve) => {
  server.listen(0, '127.0.0.1', resolve)
})
t.teardown(() => server.close())
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

const app = await startApp(t)
const { services } = app
const { token } = await app.registerUser()
const { level } = await findPluginSandbox(services)
const skip = level === 'weak' && 'the machine offers no isolation'
services.plugins.start()
const { library, idOf } = await scanFilms(t, services, {
  'First (1999).mkv': 'film-subtitles-mkv',
  'Second (1999).mkv': 'film-subtitles-mkv',
})
const film = `/api/v1/media/${idOf('First')}/subtitles`

const search = (lang: string) => app.ask('GET', `${film}/search?lang=${lang}`, { token })
const download = (body: object) => app.ask('POST', `${film}/download`, { token, body })
const listTracks = async (): Promise<string[]> => {
  const { json } = await app.ask('GET', film, { token })
  return (pick(json, 'tracks') as { id: string }[]).map(({ id }) => id)
}

void t.test(
  'a user finds and downloads subtitles of the sample, which play and survive a scan',
  { skip },
  async (t) => {
    t.strictSame((await search('en')).json, { candidates: [], message: 'No subtitle provider is configured.' })
    await enableSample(t, services, { name: NAME, settings: { url } })
    const { json } = await search('en,fr')
    t.strictSame(json, {
      candidates: [
        {
          provider: NAME,
          downloadId: 'first.en.srt',
          language: 'en',
          releaseName: 'first.en.srt',
          format: 'srt',
          matchedBy: 'title',
          rating: null,
          downloadCount: null,
          hearingImpaired: false,
          fps: null,
        },
      ],
    })
    const before = await listTracks()
    const wanted = {
      provider: NAME,
      downloadId: 'first.en.srt',
      language: 'en',
      format: 'srt',
      releaseName: 'A Release',
    }
    const { status, json: done } = await download(wanted)
    t.equal(status, 200)
    t.match(pick(done, 'track'), { language: 'en', codec: 'srt', source: 'external', title: 'A Release' })
    const stream = String(pick(done, 'track', 'stream_id'))
    const { text, headers } = await app.ask('GET', `${film}/external/${stream}`, { token })
    t.match(headers.get('content-type'), /^text\/vtt/)
    t.match(text, '00:00:01.000 --> 00:00:02.000')
    t.match(text, '<i>Hello</i>')
    t.notMatch(text, '<script>', 'markup is read as that of a sidecar')
    t.equal(
      (await app.ask('GET', String(pick(done, 'track', 'url')))).text,
      text,
      'the signed address has the same text',
    )
    t.equal(pick((await download(wanted)).json, 'track', 'id'), stream, 'it is stored once')

    const { id } = await queueScan(services, { libraryId: library.id, type: 'rescan' })
    await runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, new AbortController().signal)
    t.equal((await listTracks()).length, before.length + 1)
    t.equal((await app.ask('GET', `${film}/external/${stream}`)).status, 401)
    t.equal((await app.ask('GET', `${film}/external/${idOf('First')}`, { token })).status, 404)
  },
)

void t.test('another user does not change what a user has downloaded', { skip }, async (t) => {
  const fields = { username: 'other', email: 'other@example.test', password: 'correct horse', isAdmin: false }
  const other = await app.signIn((await createAccount(services, fields)).id)
  const wanted = {
    provider: NAME,
    downloadId: 'first.en.srt',
    language: 'xx',
    releaseName: 'evil',
    hearingImpaired: true,
  }
  const { status, json } = await app.ask('POST', `${film}/download`, { token: other, body: wanted })
  t.equal(status, 200)
  t.match(pick(json, 'track'), { language: 'en', title: 'A Release' })
  const own = await download({ ...wanted, language: 'fr', releaseName: 'Better', hearingImpaired: false })
  t.match(pick(own.json, 'track'), { language: 'fr', title: 'Better' }, 'but its own')
})

void t.test('only an administrator removes a downloaded text, and no other track', { skip }, async (t) => {
  const { token: adminToken } = await app.registerAdmin()
  const remove = (id: string, as: string) => app.ask('DELETE', `${film}/external/${id}`, { token: as })
  const before = await listTracks()
  const [embedded = '', downloaded = ''] = [before[0], before.at(-1)]
  t.equal((await remove(downloaded, token)).status, 403)
  for (const id of [embedded, idOf('First'), 'x', "' or true"]) t.equal((await remove(id, adminToken)).status, 404, id)
  t.strictSame(await listTracks(), before)
  t.equal((await remove(downloaded, adminToken)).status, 204)
  t.strictSame(await listTracks(), before.slice(0, -1))
})

void t.test('what is no subtitle is not stored (PI-08)', { skip }, async (t) => {
  const before = await listTracks()
  const codes: Record<string, string> = {
    'first.de.srt': 'subtitle_download_invalid',
    'gone.srt': 'subtitle_provider_failed',
    '../index.json': 'subtitle_provider_failed',
    'a\u0000b': 'subtitle_provider_not_found',
    '': 'subtitle_provider_not_found',
  }
  for (const [downloadId, code] of Object.entries(codes)) {
    t.match(await download({ provider: NAME, downloadId, language: 'en' }), { json: { code } }, downloadId)
  }
  const other = await download({ provider: 'phlix-plugin-nobody', downloadId: 'x', language: 'en' })
  t.match(other, { status: 404, json: { code: 'subtitle_provider_not_found' } })
  t.equal((await download({ provider: NAME })).status, 400)
  t.strictSame(await listTracks(), before)
})

const HOSTILE = `export default class {
  searchSubtitles() {
    return [null, 5, {}, { id: 'a\\u0000' }, { id: 'x'.repeat(501) }, ...Array(200).fill({ id: 'ok', language: '\\u202eevil', release_name: 'r'.repeat(1000), rating: 'NaN', fps: 1e400 })]
  }
  downloadSubtitle({ id }) {
    if (id === 'cues') return { text: Array.from({ length: 20_000 }, (_, i) => i + '\\n00:00:01,000 --> 00:00:02,000\\nx' + i + '\\n').join('\\n') }
    if (id === 'bytes') return { base64: 'AAAA' }
    if (id === 'bad') return { base64: '%%%' }
    return 5
  }
}`

void t.test('hostile answers are cut to size, and the number for an item is limited (PI-08)', { skip }, async (t) => {
  await disablePlugin(services, NAME)
  const name = 'phlix-plugin-hostile-subtitles'
  await installSource(t, services, { name, type: 'subtitle-provider', events: [], source: HOSTILE, isEnabled: true })
  await waitForPlugin(services, name)
  const { json } = await search('en')
  const candidates = pick(json, 'candidates') as { language: string; releaseName: string }[]
  t.ok(candidates.length > 0 && candidates.length <= 100)
  t.match(candidates[0], { language: 'und', rating: null, fps: null })
  t.equal(candidates[0]?.releaseName.length, 300)
  for (const downloadId of ['bytes', 'bad', 'number']) {
    const { status } = await download({ provider: name, downloadId, language: 'en' })
    t.equal(status, 500, downloadId)
  }
  t.equal((await download({ provider: name, downloadId: 'cues', language: 'en' })).status, 200)
  await services.db.query(sql.unsafe`
    insert into downloaded_subtitles (media_item_id, provider, download_id, language, format, is_hearing_impaired, text, created_at)
    select ${idOf('First')}, 'phlix-plugin-x', n::text, 'en', 'srt', false, 'x', now() from generate_series(1, 60) n`)
  t.match(await download({ provider: name, downloadId: 'cues', language: 'en' }), { json: { code: 'subtitle_limit' } })
  await services.db.query(sql.unsafe`delete from downloaded_subtitles where provider = 'phlix-plugin-x'`)
  const fill = (itemId: string, count: number) =>
    services.db.query(sql.unsafe`
      insert into downloaded_subtitles
        (media_item_id, provider, download_id, language, format, is_hearing_impaired, text, created_at, added_by)
      select ${itemId}, 'phlix-plugin-x', n::text, 'en', 'srt', false, convert_to(repeat('x', 16777216), 'UTF8'), now(), users.id
      from generate_series(1, ${count}) n, users where users.username = 'user'`)
  await fill(idOf('First'), 1)
  const full = await download({ provider: name, downloadId: 'cues', language: 'en' })
  t.match(full, { json: { code: 'subtitle_limit' } }, 'the bytes of an item')
  await services.db.query(sql.unsafe`delete from downloaded_subtitles where provider = 'phlix-plugin-x'`)
  await fill(idOf('Second'), 4)
  const exhausted = await download({ provider: name, downloadId: 'cues', language: 'en' })
  t.match(exhausted, { json: { code: 'subtitle_limit', message: /the limit of downloaded subtitles/ } })
  await services.db.query(sql.unsafe`delete from media_items`)
  t.equal(await services.db.oneFirst(sql.unsafe`select count(*)::int as count from downloaded_subtitles`), 0)
})

void t.test('searches and downloads have a rate limit', async (t) => {
  for (const call of [() => search('en'), () => download({})]) {
    const answers = await Promise.all(Array.from({ length: 31 }, call))
    t.match(
      answers.find(({ status }) => status === 429),
      { json: { code: 'rate_limited' } },
    )
  }
})
