import { sql } from 'slonik'
import t from 'tap'
import { scanDocument } from '../../src/commands/_support/output/describe-scan.ts'
import { listNowPlaying, recordProgress, startPlaybackSession } from '../../src/core/playback/index.ts'
import { enqueueEvent, insertTarget, startDeliveryDispatch } from '../../src/core/outbox/index.ts'
import { queueScan, runScanJob } from '../../src/core/scanning/index.ts'
import { pick, scanFilms, startApp } from '../support/app.ts'
import { makeItems, makeUser } from '../support/catalogue-items.ts'
import { JUMPS, jumpingClock } from '../support/jumping-clock.ts'
import { beforeReading, putSample } from '../support/scanning.ts'
import { testServices } from '../support/services.ts'

const START = '2026-10-24T12:00:00.000Z'
const ACCESS_SECONDS = 3600
const KEY_SET = '/.well-known/jwks.json'
const WINDOW_SECONDS = 60
/** Number of failures after which a target is paused. */
const FAILURES = 4
/** Longer than any pause between two attempts. */
const PAUSE_SECONDS = 41

void t.test('jumps of the wall clock (F-27)', async (t) => {
  const clock = jumpingClock(START)
  const flags = { 'server.rate_limit.jwks.max': '2', 'server.rate_limit.refresh.max': '1' }
  const services = await testServices(t, { clock, flags })
  const app = await startApp(t, { services })
  const { account } = await app.registerAdmin()
  const { ask, signIn } = app

  for (const { name, to } of JUMPS) {
    await t.test(name, async (t) => {
      const before = { seconds: clock.unixSeconds(), token: await signIn(account.id) }
      const signature = services.signer.sign('/media/a/stream')
      const uptime = async (token: string) =>
        pick((await ask('GET', '/api/v1/admin/server/status', { token })).json, 'uptime')
      const uptimeBefore = await uptime(before.token)
      for (let count = 0; count < 2; count += 1) t.equal((await ask('GET', KEY_SET)).status, 200)

      clock.set(to)
      const passed = clock.unixSeconds() - before.seconds
      const isGood = passed < ACCESS_SECONDS && passed >= -60
      t.equal((await ask('GET', '/api/v1/auth/me', { token: before.token })).status, isGood ? 200 : 401, 'an old token')
      const verdict = services.signer.verify('/media/a/stream', String(signature.exp), signature.sig)
      t.equal(verdict, clock.unixSeconds() < signature.exp ? 'valid' : 'expired', 'an old signature')
      const token = await signIn(account.id)
      t.equal((await ask('GET', '/api/v1/auth/me', { token })).status, 200, 'a new token')
      const fresh = services.signer.sign('/media/a/stream')
      t.equal(services.signer.verify('/media/a/stream', String(fresh.exp), fresh.sig), 'valid', 'a new signature')

      t.equal(await uptime(token), uptimeBefore, 'no time has passed')
      const refused = await ask('GET', KEY_SET)
      t.equal(refused.status, 429, 'limits do not look at the wall clock')
      const wait = Number(refused.headers.get('retry-after'))
      t.ok(wait >= 1 && wait <= WINDOW_SECONDS, `Retry-After: ${wait}`)
      const { json } = await ask('GET', '/api/v1/admin/metrics/snapshot', { token })
      const rates = Object.values(pick(json, 'data') as Record<string, number>)
      t.ok(
        rates.every((rate) => rate >= 0 && rate < 1e6),
        JSON.stringify(json),
      )
      t.equal((await ask('GET', '/readyz')).status, 200)
      clock.advance(WINDOW_SECONDS)
      t.equal(await uptime(token), Number(uptimeBefore) + WINDOW_SECONDS)
    })
  }
})

void t.test('a scan during which the clock jumps completes, and lasts no negative time (F-27)', async (t) => {
  const clock = jumpingClock(START)
  const services = { ...(await testServices(t, { clock })) }
  const { library, folder } = await scanFilms(t, services, { 'A (2001).mp4': 'film-tiny-mp4' })
  for (const [index, { name, to }] of JUMPS.entries()) {
    await putSample(folder, `B${index} (2002).mp4`)
    const own = { ...services }
    beforeReading(own, () => clock.set(to))
    const { id } = await queueScan(own, { libraryId: library.id, type: 'scan' })
    const job = await runScanJob(own, { scanJobId: id, whenAborted: 'cancel' }, new AbortController().signal)
    t.match(job, { status: 'completed', error: null, itemsAdded: 1, itemsFailed: 0 }, name)
    t.ok(Number(scanDocument({ library, job, failures: [] })['duration_seconds']) >= 0)
  }
})

void t.test('deliveries do not wait longer than an hour because the clock was set back (F-27)', async (t) => {
  const clock = jumpingClock('2038-01-20T00:00:00.000Z')
  const services = await testServices(t, { clock, flags: { 'webhooks.max_retries': String(FAILURES) } })
  const { db } = services
  await insertTarget(db, { kind: 'webhook', name: 'hook', events: ['library.updated'], now: clock.now() })
  let attempts = 0
  const dispatch = startDeliveryDispatch(services, {
    webhook: async () => {
      attempts += 1
      return { isDelivered: attempts > FAILURES, statusCode: 500, responseBody: null, error: 'it is down' }
    },
    channel: () => Promise.reject(new Error('no channels here')),
    scrobbler: () => Promise.reject(new Error('no scrobblers here')),
  })
  t.teardown(() => dispatch.stop())
  const library = { libraryId: 'a', libraryName: 'a', mediaItemIds: ['a'], itemCount: 1, titles: [] }
  await enqueueEvent(db, { event: 'library.updated', change: 'item_added', ...library }, clock.now())
  for (let failure = 0; failure < FAILURES; failure += 1) {
    await dispatch.settle()
    if (failure < FAILURES - 1) clock.advance(PAUSE_SECONDS)
  }
  t.equal(attempts, FAILURES)
  clock.set(START)
  await dispatch.settle()
  t.strictSame(
    await db.any(sql.unsafe`select status, attempts from deliveries`),
    [{ status: 'success', attempts: FAILURES + 1 }],
    'the delivery is due and its target rests no longer',
  )
})

void t.test(
  'a playback state in the future expires as soon as others when the clock was set back (F-27)',
  async (t) => {
    const clock = jumpingClock('2038-01-20T00:00:00.000Z')
    const { db } = await testServices(t)
    const userId = await makeUser(db, 'ann')
    const [mediaItemId = ''] = await makeItems(db, t.testdir(), [{}])
    const device = { deviceId: null, deviceName: null, deviceType: null }
    const { id: sessionId } = await startPlaybackSession({ db, clock }, { profileId: userId, ...device })
    const report = () =>
      recordProgress(
        { db, clock },
        { profileId: userId, sessionId, mediaItemId, positionTicks: 10_000_000, isPaused: false },
      )
    await report()
    clock.set(START)
    await report()
    t.equal((await listNowPlaying({ db, clock })).length, 1)
    clock.advance(300)
    t.strictSame(await listNowPlaying({ db, clock }), [])
  },
)
