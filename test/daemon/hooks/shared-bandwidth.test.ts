import { mkdir, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'slonik'
import t from 'tap'
import { setAccess } from '../../../src/core/accounts/index.ts'
import { createProfile } from '../../../src/core/profiles/index.ts'
import { addSchedule, setStreamLimits, type StreamLimits } from '../../../src/core/playback-limits/index.ts'
import { pick, scanFilms, startApp } from '../../support/app.ts'
import { movableClock } from '../../support/records.ts'
import { testServices } from '../../support/services.ts'
import { codeOf } from '../../support/shares.ts'
import { waitUntil } from '../../support/wait-until.ts'

const clock = movableClock()
const app = await startApp(t, { services: await testServices(t, { clock }) })
const { services, ask } = app
const { account, token } = await app.registerUser()
const { idOf, library } = await scanFilms(t, services, { 'One (2001).mp4': 'film-mp4', 'Two (2002).mp4': 'film-mp4' })
const [one, two] = [idOf('One'), idOf('Two')]
const REFUSED = { status: 429, json: { code: 'StreamLimitExceeded' } }

/** Limits the account, with all places free. */
async function limit(changes: Partial<StreamLimits>): Promise<void> {
  clock.advance(60)
  await services.db.query(sql.unsafe`delete from open_streams`)
  const all = { maxStreams: null, maxKbps: null, ...changes }
  await setStreamLimits(services, { owner: { accountId: account.id }, accountId: account.id, changes: all })
}

const fileOf = async (id: string, by = token) => {
  const { json } = await ask('GET', `/api/v1/media/${id}`, { token: by })
  return ask('GET', String(pick(json, 'stream_url')), { headers: { range: 'bytes=0-9' } })
}

/** The bit rate of a file in kbit/s. */
const kbpsOf = async (id: string): Promise<number> =>
  Number(
    await services.db.oneFirst(
      sql.unsafe`select ceil(greatest(bitrate, size_bytes * 8 / duration_seconds) / 1000)::int from media_items where id = ${id}`,
    ),
  )

/** The variants of a film as all may see them, the highest first, and how to ask for them. */
async function stream(id: string, by = token) {
  const started = await ask('POST', `/api/v1/media/${id}/transcode`, { token: by })
  const master = String(pick(started.json, 'master_url'))
  const { text } = await ask('GET', master)
  const names = [...text.matchAll(/^#EXT-X-STREAM-INF:.*\n(media_v(\w+)\.m3u8)/gm)].map(([, , name = '']) => name)
  const folder = master.slice(0, master.lastIndexOf('/'))
  const query = master.slice(master.indexOf('?'))
  const of = (file: string) => ask('GET', `${folder}/${file}${query}`)
  return {
    names,
    status: started.status,
    playlist: (n: string) => of(`media_v${n}.m3u8`),
    segment: (n: string) => of(`seg-v${n}-00000.ts`),
  }
}

void t.test('a quality above the bandwidth is refused, not only left out of the master playlist', async (t) => {
  await limit({})
  const { names } = await stream(one)
  t.ok(names.length > 1, names.join())
  await limit({ maxKbps: 100 })
  const { names: offered, playlist, segment } = await stream(one)
  t.strictSame(offered, names.slice(-1), 'the lowest one is offered')
  t.match(await playlist(names[0] ?? ''), { ...REFUSED, json: { ...REFUSED.json, max_kbps: 100 } })
  t.match(await segment(names[0] ?? ''), REFUSED)
  t.equal((await playlist(names.at(-1) ?? '')).status, 200)
  t.equal((await segment(names.at(-1) ?? '')).status, 200, 'the lowest quality always plays')
})

void t.test('the bandwidth is for all streams together', async (t) => {
  const other = await app.signIn(account.id)
  const kbps = await kbpsOf(one)
  await limit({ maxKbps: kbps + 50 })
  t.equal((await fileOf(one)).status, 206)
  t.match(await fileOf(two, other), { status: 429, json: { max_kbps: /^\d+$/, message: /play it adaptively/ } })
  t.equal((await fileOf(one)).status, 206, 'the first stream goes on')
  const { names } = await stream(two, other)
  t.equal(names.length, 1, 'the second one is offered the lowest quality only')
  clock.advance(31)
  t.equal((await fileOf(two, other)).status, 206, 'what is not used any more leaves its bandwidth')
  await limit({})
  t.equal((await fileOf(one)).status, 206)
  t.equal((await fileOf(two, other)).status, 206)
})

void t.test(
  'the bandwidth of a profile is for its streams, that of the account for those of all profiles',
  async (t) => {
    const profile = await createProfile(services, { accountId: account.id, fields: { name: 'Ann', mayDownload: true } })
    const by = await app.signIn(account.id, profile.id)
    const kbps = await kbpsOf(one)
    await limit({})
    const ofProfile = { owner: { profileId: profile.id }, accountId: account.id }
    await setStreamLimits(services, { ...ofProfile, changes: { maxKbps: kbps + 50 } })
    t.equal((await fileOf(one)).status, 206)
    t.equal((await fileOf(one, by)).status, 206, 'the main profile has its own')
    t.match(await fileOf(two, by), REFUSED)
    await setStreamLimits(services, { ...ofProfile, changes: { maxKbps: null } })
    await limit({ maxKbps: kbps + 50 })
    t.equal((await fileOf(one)).status, 206)
    t.match(await fileOf(two, by), REFUSED)
  },
)

void t.test('a file that was made for a download obeys hours, streams and bandwidth', async (t) => {
  await limit({})
  const quality = '360p'
  const asked = await ask('POST', `/api/v1/media/${one}/download?quality=${quality}`, { token })
  t.equal(asked.status, 202)
  const id = String(pick(asked.json, 'id'))
  const folder = join(services.config.dataDirectory, 'cache', 'downloads')
  await mkdir(folder, { recursive: true })
  // 20 s of 800 kbit/s.
  await writeFile(join(folder, `${id}.mp4`), Buffer.alloc(2_000_000))
  await services.db.query(sql.unsafe`update downloads set status = 'ready', percent = 100, size_bytes = 2000000`)
  const save = async (by = token) => {
    const { json } = await ask('GET', `/api/v1/media/${one}/download?quality=${quality}`, { token: by })
    return ask('GET', String(pick(json, 'url')), { headers: { range: 'bytes=0-9' } })
  }
  t.equal((await save()).status, 206)
  await limit({ maxStreams: 1 })
  t.equal((await fileOf(two)).status, 206)
  t.match(await save(), REFUSED)
  await limit({ maxKbps: 700 })
  t.match(await save(), { ...REFUSED, json: { max_kbps: 700, message: /needs (?:799|80\d) / } })
  await limit({ maxKbps: 100 })
  t.match(await ask('POST', `/api/v1/media/${two}/download?quality=${quality}`, { token }), REFUSED, 'none is made')
  await limit({})
  const profile = await createProfile(services, { accountId: account.id, fields: { name: 'Kim', mayDownload: true } })
  const by = await app.signIn(account.id, profile.id)
  t.equal((await save(by)).status, 206)
  const hour = (ahead: number) => `${String((clock.now().getUTCHours() + ahead + 24) % 24).padStart(2, '0')}:00`
  await addSchedule(services, { profile, fields: { startTime: hour(2), endTime: hour(3), zone: 'UTC' } })
  t.equal(codeOf(await save(by)), '403 AccessSchedule')
  const again = await ask('POST', `/api/v1/media/${one}/download?quality=${quality}`, { token: by })
  t.equal(codeOf(again), '403 AccessSchedule')
})

void t.test('a file that is still sent after the end was reported keeps its bandwidth', async (t) => {
  const long = (await scanFilms(t, services, { 'Long (2004).mp4': 'film-mp4' })).idOf('Long')
  const other = await app.signIn(account.id)
  await limit({ maxKbps: (await kbpsOf(long)) + 50 })
  await truncate(
    String(await services.db.oneFirst(sql.unsafe`select path from media_items where id = ${long}`)),
    200_000_000,
  )
  const { json } = await ask('GET', `/api/v1/media/${long}`, { token })
  const stop = new AbortController()
  const reply = await fetch(`${app.baseUrl}${String(pick(json, 'stream_url'))}`, { signal: stop.signal })
  await reply.body?.getReader().read()
  const session = String(pick((await ask('POST', '/api/v1/sessions', { token, body: {} })).json, 'session_id'))
  await ask('DELETE', `/api/v1/sessions/${session}`, { token })
  await waitUntil('it has its place again', async () =>
    services.db.exists(sql.unsafe`select from open_streams where media_item_id = ${long}`),
  )
  t.match(await fileOf(two, other), REFUSED)
  stop.abort()
})

void t.test('a stream of which the limit is lowered is refused from its next segment on', async (t) => {
  await limit({})
  const { names, segment } = await stream(one)
  t.equal((await segment(names[0] ?? '')).status, 200)
  const owner = { accountId: account.id }
  await setStreamLimits(services, { owner, accountId: account.id, changes: { maxKbps: 100_000 } })
  t.equal((await segment(names[0] ?? '')).status, 200)
  await setStreamLimits(services, { owner, accountId: account.id, changes: { maxKbps: 100 } })
  t.match(await segment(names[0] ?? ''), REFUSED)
  t.equal((await segment(names.at(-1) ?? '')).status, 200)
})

void t.test('a hidden item takes no place, and is answered like an unknown one when no place is left', async (t) => {
  await limit({ maxStreams: 1 })
  const started = await ask('POST', '/api/v1/sessions', { token, body: {} })
  const session = String(pick(started.json, 'session_id'))
  const answers = async (id: string): Promise<string[]> => [
    codeOf(await ask('POST', `/api/v1/media/${id}/transcode`, { token })),
    codeOf(await ask('GET', `/media/${id}/stream`, { token })),
    codeOf(
      await ask('POST', `/api/v1/sessions/${session}/progress`, {
        token,
        body: { media_item_id: id, position_ticks: 1 },
      }),
    ),
  ]
  const unknown = '00000000-0000-4000-8000-000000000000'
  // One that is seen beside the hidden one.
  const other = await scanFilms(t, services, { 'Three (2003).mp4': 'film-mp4' })
  const three = other.idOf('Three')
  await setAccess(services, { accountId: account.id, changes: { libraryIds: [other.library.id] } })
  t.strictSame(await answers(two), await answers(unknown), 'while a place is free')
  t.equal((await fileOf(three)).status, 206, 'the hidden item has not taken the place')
  t.strictSame(await answers(two), await answers(unknown), 'while no place is free')
  t.notMatch((await answers(two)).join(), /429/)
  await setAccess(services, { accountId: account.id, changes: { libraryIds: [library.id, other.library.id] } })
  t.match(await answers(two), [/429/, /429/, /429/])
})
