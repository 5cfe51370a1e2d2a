import { randomUUID } from 'node:crypto'
import { sql } from 'slonik'
import t from 'tap'
import {
  enqueueEvent,
  startDeliveryDispatch,
  type Delivery,
  type OutboxEvent,
  type SendDelivery,
} from '../../../src/core/outbox/index.ts'
import {
  authorizeScrobbler,
  connectScrobbler,
  disconnectScrobbler,
  listScrobbleServices,
  sendScrobble,
  type ScrobbleServiceName,
} from '../../../src/core/scrobbling/index.ts'
import { makeItems, makeUser } from '../../support/catalogue-items.ts'
import {
  LASTFM,
  LISTENBRAINZ_TOKEN,
  TRAKT,
  scrobblingFlags,
  startFakeScrobbleServices,
} from '../../support/fake-scrobble-services.ts'
import { reachableDirectory } from '../../support/directories.ts'
import { testDatabase } from '../../support/database.ts'
import { makeSongs } from '../../support/music-library.ts'
import { holdLocks } from '../../support/row-locks.ts'
import { movableClock } from '../../support/records.ts'
import { testServices } from '../../support/services.ts'

const clock = movableClock('2026-03-01T12:00:00.000Z')
const fake = await startFakeScrobbleServices(t)
const database = await testDatabase(t)
const services = await testServices(t, { clock, database, flags: scrobblingFlags(fake) })
const { db } = services
const folder = () => reachableDirectory(t)
const [song = ''] = await makeSongs(db, folder(), [
  { name: 'Sine', artist: 'Oscillator', album: 'Waves', track: 3, seconds: 180 },
])
const [film = '', photo = ''] = await makeItems(db, folder(), [
  {
    name: 'Alien',
    year: 1979,
    durationSeconds: 7000,
    metadata: { external_ids: { tmdb: 348, imdb: 'tt0078748', odd: {} } },
  },
  { name: 'Picture', type: 'image' },
])

const CODES: Record<ScrobbleServiceName, string> = {
  lastfm: LASTFM.token,
  listenbrainz: LISTENBRAINZ_TOKEN,
  trakt: TRAKT.deviceCode,
}

async function deliver(
  send: SendDelivery = (delivery, signal) => sendScrobble(services, delivery, signal),
): Promise<void> {
  const dispatch = startDeliveryDispatch(services, {
    channel: () => Promise.reject(new Error('no channels here')),
    webhook: () => Promise.reject(new Error('no webhooks here')),
    scrobbler: send,
  })
  await dispatch.settle()
  await dispatch.stop()
}

const connect = (userId: string, service: ScrobbleServiceName) =>
  connectScrobbler(services, { userId, service, code: ` ${CODES[service]}\n` })

async function play(
  userId: string,
  { mediaItemId, mediaType }: { mediaItemId: string; mediaType: string },
  end?: { durationSeconds: number; isCompleted: boolean },
): Promise<void> {
  const about = { userId, userName: 'ada', mediaItemId, mediaType, title: 'x', deviceId: null, deviceName: null }
  const facts: OutboxEvent =
    end === undefined ? { event: 'playback.started', ...about } : { event: 'playback.ended', ...about, ...end }
  await enqueueEvent(db, facts, clock.now())
}

const SONG = { mediaItemId: song, mediaType: 'audio' }
const FILM = { mediaItemId: film, mediaType: 'movie' }
const stateOf = async (userId: string, service: ScrobbleServiceName) =>
  (await listScrobbleServices(services, userId)).find((state) => state.service === service)

t.beforeEach(() => {
  Object.assign(fake, {
    reports: [],
    calls: [],
    behaviour: 'well',
    approval: 'given',
    losesReports: false,
    traktTokens: new Set(),
  })
})

void t.test('a song reaches Last.fm and ListenBrainz when it begins and when it was listened to', async (t) => {
  const userId = await makeUser(db, 'listener')
  t.match(await connect(userId, 'lastfm'), { service: 'lastfm', serviceUsername: 'ada_fm' })
  t.match(await connect(userId, 'listenbrainz'), { serviceUsername: 'ada_brainz' })
  await play(userId, SONG)
  await play(userId, SONG, { durationSeconds: 170, isCompleted: true })
  await deliver()
  const started = clock.now().getTime() / 1000 - 170
  t.match(
    fake.reports.filter(({ service }) => service === 'lastfm'),
    [
      { kind: 'track.updateNowPlaying', body: { artist: 'Oscillator', track: 'Sine', album: 'Waves' } },
      {
        kind: 'track.scrobble',
        body: { artist: 'Oscillator', trackNumber: '3', duration: '180', timestamp: String(started) },
      },
    ],
  )
  t.match(
    fake.reports.filter(({ service }) => service === 'listenbrainz'),
    [
      { kind: 'playing_now', body: { payload: [{ track_metadata: { track_name: 'Sine' } }] } },
      { kind: 'single', body: { payload: [{ listened_at: started, track_metadata: { release_name: 'Waves' } }] } },
    ],
  )
})

void t.test('a song that was skipped, a photo and a film are not sent to services of music', async (t) => {
  const userId = await makeUser(db, 'skipper')
  await connect(userId, 'listenbrainz')
  await play(userId, SONG, { durationSeconds: 20, isCompleted: false })
  await play(userId, { mediaItemId: photo, mediaType: 'image' })
  await play(userId, FILM, { durationSeconds: 7000, isCompleted: true })
  await deliver()
  t.strictSame(fake.reports, [])
  t.match(await stateOf(userId, 'listenbrainz'), { scrobbler: { failureCount: 0, lastError: null } })
})

void t.test('a film reaches Trakt with its ids and its progress', async (t) => {
  const userId = await makeUser(db, 'viewer')
  t.match(await connect(userId, 'trakt'), { serviceUsername: 'ada_trakt' })
  await play(userId, FILM)
  await play(userId, FILM, { durationSeconds: 3500, isCompleted: false })
  await play(userId, SONG, { durationSeconds: 170, isCompleted: true })
  await deliver()
  t.strictSame(fake.reports, [
    {
      service: 'trakt',
      kind: '/scrobble/start',
      body: { movie: { title: 'Alien', year: 1979, ids: { tmdb: 348, imdb: 'tt0078748' } }, progress: 0 },
    },
    {
      service: 'trakt',
      kind: '/scrobble/stop',
      body: { movie: { title: 'Alien', year: 1979, ids: { tmdb: 348, imdb: 'tt0078748' } }, progress: 50 },
    },
  ])
})

void t.test('an episode reaches Trakt as the number in its series', async (t) => {
  const userId = await makeUser(db, 'series-viewer')
  await connect(userId, 'trakt')
  const episode = await makeEpisode()
  await play(userId, { mediaItemId: episode, mediaType: 'episode' }, { durationSeconds: 100, isCompleted: true })
  await deliver()
  t.match(fake.reports, [
    {
      kind: '/scrobble/stop',
      body: { show: { title: 'Dark', ids: { tmdb: 70523 } }, episode: { season: 1, number: 2 }, progress: 100 },
    },
  ])
})

void t.test('plays of other accounts are not reported', async (t) => {
  const [ada, bob] = [await makeUser(db, 'owner'), await makeUser(db, 'stranger')]
  await connect(ada, 'listenbrainz')
  await play(bob, SONG, { durationSeconds: 170, isCompleted: true })
  await deliver()
  t.strictSame(fake.reports, [])
})

void t.test(
  'an outage delays a listen and does not lose it; a begin that is late is not reported any more',
  async (t) => {
    const userId = await makeUser(db, 'patient')
    await connect(userId, 'lastfm')
    await play(userId, SONG)
    await play(userId, SONG, { durationSeconds: 170, isCompleted: true })
    fake.behaviour = 'failing'
    // More attempts than a webhook has.
    for (let round = 0; round < 30; round += 1) {
      await deliver()
      clock.advance(60)
    }
    t.match(await stateOf(userId, 'lastfm'), { scrobbler: { lastError: 'Last.fm answered with status 502' } })
    fake.behaviour = 'well'
    await deliver()
    t.match(fake.reports, [{ kind: 'track.scrobble' }])
    t.equal(fake.reports.length, 1)
    t.match(await stateOf(userId, 'lastfm'), { scrobbler: { failureCount: 0, lastError: null } })
  },
)

void t.test('a rate limit is waited for', async (t) => {
  const userId = await makeUser(db, 'limited')
  await connect(userId, 'listenbrainz')
  await play(userId, SONG, { durationSeconds: 170, isCompleted: true })
  fake.behaviour = 'limiting'
  await deliver()
  fake.behaviour = 'well'
  clock.advance(6)
  await deliver()
  t.strictSame(fake.reports, [], 'the service asked for 7 s')
  clock.advance(2)
  await deliver()
  t.equal(fake.reports.length, 1)
})

void t.test('expired tokens of Trakt are renewed once and stored', async (t) => {
  const userId = await makeUser(db, 'renewer')
  await connect(userId, 'trakt')
  fake.traktTokens.clear()
  await play(userId, FILM)
  await deliver()
  fake.traktTokens.clear()
  fake.traktTokens.add('access-2')
  await play(userId, FILM, { durationSeconds: 7000, isCompleted: true })
  await deliver()
  t.match(fake.reports, [{ kind: '/scrobble/start' }, { kind: '/scrobble/stop' }])
  t.strictSame(
    fake.calls.filter((call) => call.includes('/oauth/token')),
    ['trakt /oauth/token 200'],
  )
})

void t.test('renewed tokens of Trakt are stored also if the report after the renewal fails', async (t) => {
  const userId = await makeUser(db, 'unlucky')
  await connect(userId, 'trakt')
  fake.traktTokens.clear()
  fake.losesReports = true
  await play(userId, FILM)
  await deliver()
  t.match(await stateOf(userId, 'trakt'), { scrobbler: { lastError: /./ } })
  t.ok(fake.calls.includes('trakt /oauth/token 200'))
  fake.losesReports = false
  clock.advance(60)
  await deliver()
  t.match(fake.reports, [{ kind: '/scrobble/start' }])
  t.match(await stateOf(userId, 'trakt'), { scrobbler: { failureCount: 0, lastError: null } })
})

void t.test('two reports at once renew the tokens of Trakt once', async (t) => {
  const userId = await makeUser(db, 'double')
  await connect(userId, 'trakt')
  const deliveries: Delivery[] = []
  await play(userId, FILM)
  await deliver(async (delivery) => {
    deliveries.push(delivery)
    return { isDelivered: true, statusCode: null, responseBody: null, error: null }
  })
  const [delivery] = deliveries
  if (delivery === undefined) throw new Error('nothing was delivered')
  fake.traktTokens.clear()
  const other = await testServices(t, { clock, database, flags: scrobblingFlags(fake) })
  const { signal } = new AbortController()
  const lock = await holdLocks(t, database.connectionUri)
  await lock.query('select 1 from scrobblers where user_id = $1 for update', [userId])
  const both = [services, other].map((one) => sendScrobble(one, delivery, signal))
  await lock.waiting(2)
  await lock.commit()
  t.match(await Promise.all(both), [{ isDelivered: true }, { isDelivered: true }])
  t.strictSame(
    fake.calls.filter((call) => call.includes('/oauth/token')),
    ['trakt /oauth/token 200'],
  )
})

void t.test('a play that was watched reaches Trakt with its time if its report is late', async (t) => {
  const userId = await makeUser(db, 'late')
  await connect(userId, 'trakt')
  const episode = { mediaItemId: await makeEpisode(), mediaType: 'episode' }
  const [unknown = ''] = await makeItems(db, folder(), [{ name: 'Unknown', durationSeconds: 7000 }])
  const at = clock.now().toISOString()
  await play(userId, FILM, { durationSeconds: 5600, isCompleted: false })
  await play(userId, FILM, { durationSeconds: 5590, isCompleted: false })
  await play(userId, episode, { durationSeconds: 100, isCompleted: true })
  clock.advance(600)
  await play(userId, { mediaItemId: unknown, mediaType: 'movie' }, { durationSeconds: 7000, isCompleted: true })
  clock.advance(601)
  await play(userId, FILM, { durationSeconds: 7000, isCompleted: true })
  await deliver()
  const ids = { tmdb: 348, imdb: 'tt0078748' }
  t.strictSame(
    fake.reports.map(({ kind, body }) => ({ kind, body })),
    [
      { kind: '/sync/history', body: { movies: [{ title: 'Alien', year: 1979, ids, watched_at: at }] } },
      { kind: '/scrobble/stop', body: { movie: { title: 'Alien', year: 1979, ids }, progress: 79.9 } },
      {
        kind: '/sync/history',
        body: {
          shows: [
            {
              title: 'Dark',
              year: 2017,
              ids: { tmdb: 70523 },
              seasons: [{ number: 1, episodes: [{ number: 2, watched_at: at }] }],
            },
          ],
        },
      },
      { kind: '/scrobble/stop', body: { movie: { title: 'Alien', year: 1979, ids }, progress: 100 } },
    ],
  )
  t.match(await stateOf(userId, 'trakt'), { scrobbler: { failureCount: 1 } }, 'Trakt does not know one of the films')
})

void t.test('a connection that the service ended is shown as the reason', async (t) => {
  const userId = await makeUser(db, 'revoked')
  await connect(userId, 'trakt')
  fake.traktTokens = new Set(['access-2'])
  await play(userId, FILM)
  await deliver()
  t.match(await stateOf(userId, 'trakt'), {
    scrobbler: { failureCount: 1, lastError: /^Trakt answered with status 401: The provided authorization grant/ },
  })
})

void t.test('a play that Trakt has already is delivered', async (t) => {
  const userId = await makeUser(db, 'repeater')
  await connect(userId, 'trakt')
  for (let times = 0; times < 2; times += 1) await play(userId, FILM, { durationSeconds: 7000, isCompleted: true })
  await deliver()
  t.ok(fake.calls.includes('trakt /scrobble/stop 409'))
  t.match(await stateOf(userId, 'trakt'), { scrobbler: { failureCount: 0 } })
})

void t.test('plays of items that are gone fail finally', async (t) => {
  const userId = await makeUser(db, 'remover')
  await connect(userId, 'listenbrainz')
  await play(userId, { mediaItemId: randomUUID(), mediaType: 'audio' }, { durationSeconds: 170, isCompleted: true })
  await deliver()
  t.match(await stateOf(userId, 'listenbrainz'), { scrobbler: { failureCount: 1, lastError: 'The item was removed.' } })
})

void t.test('a connection waits for the approval of the user, and ends with a denial', async (t) => {
  const userId = await makeUser(db, 'asker')
  for (const service of ['lastfm', 'trakt'] as const) {
    fake.approval = 'waiting'
    t.match(await authorizeScrobbler(services, service), { code: CODES[service], url: /^https:\/\// })
    await t.rejects(connect(userId, service), { code: 'scrobbler_not_approved' }, service)
    fake.approval = 'denied'
    await t.rejects(connect(userId, service), { code: 'scrobbler_refused' }, service)
    fake.approval = 'given'
    t.match(await connect(userId, service), { service })
  }
  t.equal(await authorizeScrobbler(services, 'listenbrainz'), undefined)
})

void t.test('wrong tokens, outages and missing keys have errors of their own', async (t) => {
  const userId = await makeUser(db, 'mistaken')
  const wrong = { userId, service: 'listenbrainz' } as const
  await t.rejects(connectScrobbler(services, { ...wrong, code: randomUUID() }), { code: 'scrobbler_refused' })
  // A line break would end a header.
  await t.rejects(connectScrobbler(services, { ...wrong, code: 'a\r\nx-evil: 1' }), { code: 'scrobbler_refused' })
  fake.behaviour = 'failing'
  for (const service of ['lastfm', 'listenbrainz', 'trakt'] as const) {
    await t.rejects(connect(userId, service), { code: 'scrobbling_service_failed' }, service)
  }
  const bare = await testServices(t, { clock })
  await t.rejects(authorizeScrobbler(bare, 'trakt'), {
    code: 'scrobbling_not_configured',
    message: 'Trakt needs the settings scrobbling.trakt.client_id and scrobbling.trakt.client_secret.',
  })
  const unreachable = await testServices(t, {
    clock,
    flags: { 'scrobbling.listenbrainz.base_url': 'http://127.0.0.1:9' },
  })
  await t.rejects(connectScrobbler(unreachable, { ...wrong, code: LISTENBRAINZ_TOKEN }), {
    code: 'scrobbling_service_failed',
  })
})

void t.test('a connection is replaced, ended with its reports, and removed with its account', async (t) => {
  const userId = await makeUser(db, 'leaver')
  const first = await connect(userId, 'trakt')
  const second = await connect(userId, 'trakt')
  t.not(first.id, second.id)
  await play(userId, FILM)
  await disconnectScrobbler(services, { userId, service: 'trakt' })
  t.ok(fake.calls.includes('trakt /oauth/revoke 200'))
  await deliver()
  t.strictSame(fake.reports, [])
  await t.rejects(disconnectScrobbler(services, { userId, service: 'trakt' }), { code: 'scrobbler_not_found' })
  await connect(userId, 'listenbrainz')
  await db.query(sql.unsafe`delete from users where id = ${userId}`)
  t.strictSame((await db.query(sql.unsafe`select 1 from delivery_targets where user_id = ${userId}`)).rows, [])
})

/** An episode in its season and series. */
async function makeEpisode(): Promise<string> {
  const [series = '', season = '', episode = ''] = await makeItems(db, folder(), [
    { name: 'Dark', type: 'series', year: 2017, metadata: { external_ids: { tmdb: 70523 } } },
    { name: 'Season 1', type: 'season', seasonNumber: 1 },
    { name: 'Lies', type: 'episode', seasonNumber: 1, episodeNumber: 2, durationSeconds: 3000 },
  ])
  await db.query(sql.unsafe`update media_items set parent_id = ${series} where id = ${season}`)
  await db.query(sql.unsafe`update media_items set parent_id = ${season} where id = ${episode}`)
  return episode
}
