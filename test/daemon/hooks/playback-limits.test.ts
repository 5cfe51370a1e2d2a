import t from 'tap'
import { createProfile } from '../../../src/core/profiles/index.ts'
import { addSchedule, setStreamLimits } from '../../../src/core/playback-limits/index.ts'
import { pick, scanFilms, startApp } from '../../support/app.ts'
import { movableClock } from '../../support/records.ts'
import { testServices } from '../../support/services.ts'

const clock = movableClock()
const app = await startApp(t, { services: await testServices(t, { clock }) })
const { services, ask } = app
const { account, token } = await app.registerUser()
const { idOf } = await scanFilms(t, services, { 'One (2001).mp4': 'film-mp4', 'Two (2002).mp4': 'film-mp4' })
const [one, two] = [idOf('One'), idOf('Two')]
const owner = { accountId: account.id }

const streamOf = async (id: string, by = token): Promise<string> =>
  String(pick((await ask('GET', `/api/v1/media/${id}`, { token: by })).json, 'stream_url'))

void t.test('above the number of streams another item or device is refused, and the same one never', async (t) => {
  await setStreamLimits(services, { owner, accountId: account.id, changes: { maxStreams: 1 } })
  const other = await app.signIn(account.id)
  const play = async (id: string, by = token) => ask('GET', await streamOf(id, by))
  t.equal((await play(one)).status, 200)
  for (const range of ['bytes=0-9', 'bytes=100-199']) {
    t.equal((await ask('GET', await streamOf(one), { headers: { range } })).status, 206, 'seeking and reloading')
  }
  t.match(await play(two), { status: 429, json: { code: 'StreamLimitExceeded', limit: 1, running: 1 } })
  t.match(await play(one, other), { status: 429 }, 'the same item on another device')
  t.match(await ask('POST', `/api/v1/media/${two}/transcode`, { token }), { status: 429 })
  const session = String(pick((await ask('POST', '/api/v1/sessions', { token, body: {} })).json, 'session_id'))
  const report = (id: string) =>
    ask('POST', `/api/v1/sessions/${session}/progress`, { token, body: { media_item_id: id, position_ticks: 1 } })
  t.equal((await report(one)).status, 200)
  t.equal((await report(two)).status, 429)
  t.equal((await ask('DELETE', `/api/v1/sessions/${session}`, { token })).status, 200, 'the player ends')
  t.equal((await play(two)).status, 200)
  t.equal((await play(one, other)).status, 429)
  clock.advance(31)
  t.equal((await play(one, other)).status, 200, 'a place that is not used is free again')
  await setStreamLimits(services, { owner, accountId: account.id, changes: { maxStreams: null } })
  t.equal((await play(two)).status, 200)
})

void t.test('a file above the bandwidth is refused with the reason', async (t) => {
  await setStreamLimits(services, { owner, accountId: account.id, changes: { maxKbps: 100 } })
  t.match(await ask('GET', await streamOf(one)), {
    status: 429,
    json: { code: 'StreamLimitExceeded', max_kbps: 100, message: /play it adaptively/ },
  })
  const { json } = await ask('POST', `/api/v1/media/${one}/transcode`, { token })
  const { text } = await ask('GET', String(pick(json, 'master_url')))
  t.equal([...text.matchAll(/^#EXT-X-STREAM-INF/gm)].length, 1, 'only the lowest quality is offered')
  const info = await ask('GET', `/api/v1/media/${one}/playback-info`, { token })
  t.match(info.json, { max_kbps: 100 }, 'players are told the limit')
  t.ok(Number(pick(info.json, 'file_kbps')) > 100)
  await setStreamLimits(services, { owner, accountId: account.id, changes: { maxKbps: null } })
  t.equal((await ask('GET', await streamOf(one))).status, 200)
})

void t.test('outside of the hours of a profile nothing plays, and everything else works', async (t) => {
  const profile = await createProfile(services, { accountId: account.id, fields: { name: 'Kid', mayDownload: true } })
  const by = await app.signIn(account.id, profile.id)
  const address = await streamOf(one, by)
  t.equal((await ask('GET', address)).status, 200, 'without a schedule at any time')
  const hour = clock.now().getUTCHours()
  const text = (hours: number): string => `${String((hours + 24) % 24).padStart(2, '0')}:00`
  const fields = { startTime: text(hour + 2), endTime: text(hour + 3), zone: 'UTC' }
  await addSchedule(services, { profile, fields })
  for (const [method, path, body] of [
    ['GET', address],
    ['GET', `/api/v1/media/${one}/playback-info`],
    ['POST', `/api/v1/media/${one}/transcode`],
    ['POST', '/api/v1/sessions', {}],
  ] as const) {
    const answer = await ask(method, path, { token: by, body })
    t.match(answer, { status: 403, json: { code: 'AccessSchedule', allowed_at: /T\d\d:00:00\.000Z$/ } }, path)
  }
  t.equal((await ask('GET', `/api/v1/media/${one}`, { token: by })).status, 200)
  t.equal((await ask('GET', await streamOf(one))).status, 200, 'in another profile')
  await addSchedule(services, { profile, fields: { startTime: text(hour - 1), endTime: text(hour + 1), zone: 'UTC' } })
  t.equal((await ask('GET', address)).status, 200)
})
