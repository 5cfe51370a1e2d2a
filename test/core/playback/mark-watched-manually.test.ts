import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { createCatalogueCache, removeItem } from '../../../src/core/catalogue/index.ts'
import {
  listContinueWatching,
  markWatchedManually,
  listHistory,
  listNextUp,
  recordProgress,
  startPlaybackSession,
} from '../../../src/core/playback/index.ts'
import { markUnwatched, readUserData } from '../../../src/core/user-items/index.ts'
import { makeItems, makeUser } from '../../support/catalogue-items.ts'
import { testDatabase } from '../../support/database.ts'
import { episodes } from '../../support/film-catalogue.ts'
import { movableClock } from '../../support/records.ts'

const UNKNOWN = '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11'

/** Two users, a film, and a series of two seasons with a special. */
async function setup(t: Test) {
  const { pool: db } = await testDatabase(t)
  const clock = movableClock()
  const services = { db, clock, catalogueCache: createCatalogueCache({ db }) }
  const [ada, bob] = [await makeUser(db, 'ada'), await makeUser(db, 'bob')]
  const items = await makeItems(db, t.testdir(), [{}, ...episodes(['1:1', '1:2', '2:1', '0:1'])])
  const idOf = async (name: string) =>
    String(await db.oneFirst(sql.unsafe`select id from media_items where name = ${name}`))
  const play = async (userId: string, mediaItemId: string) => {
    clock.advance(1)
    const { id: sessionId } = await startPlaybackSession(services, {
      profileId: userId,
      deviceId: null,
      deviceName: null,
      deviceType: null,
    })
    await recordProgress(services, {
      profileId: userId,
      sessionId,
      mediaItemId,
      positionTicks: 300_000_000,
      isPaused: true,
    })
  }
  const unfinished = async (userId: string) =>
    (await listContinueWatching(services, { profileId: userId })).map(({ item }) => item.id)
  const finish = (itemId: string) => markWatchedManually(services, { profileId: ada, itemId })
  const isWatched = async (itemId: string, accountId = ada) =>
    (await readUserData({ db }, { profileId: accountId, itemId })).isWatched
  return { db, services, ada, bob, items, idOf, play, unfinished, finish, isWatched }
}

void t.test(
  'a film marked as watched by hand is at its end in every session of the user, and no play counts',
  async (t) => {
    const { db, ada, bob, items, play, unfinished, finish, isWatched } = await setup(t)
    const [film = ''] = items
    for (const userId of [ada, ada, bob]) await play(userId, film)
    await finish(film)
    t.ok(await isWatched(film))
    t.strictSame(await unfinished(ada), [])
    t.strictSame(await unfinished(bob), [film], 'that of another user stays')
    const { played } = await listHistory({ db }, { profileId: ada })
    t.match(played, [{ item: { id: film }, progress: 1, state: { status: 'stopped', positionTicks: 0 } }])
    t.equal(await db.oneFirst(sql.unsafe`select count(*) from playback_records`), 0)
    await play(ada, film)
    t.strictSame(await unfinished(ada), [film], 'playing it again offers it again')
    await markUnwatched({ db }, { profileId: ada, itemId: film })
    t.strictSame(await unfinished(ada), [film], 'removing the mark changes no position')
  },
)

void t.test('a series or season marked as watched takes its episodes out of continue-watching', async (t) => {
  const { ada, items, idOf, play, unfinished, finish } = await setup(t)
  const [film = '', first = '', second = '', third = '', special = ''] = items
  for (const item of [special, third, second, first, film]) await play(ada, item)
  await finish(await idOf('Season 1'))
  t.strictSame(await unfinished(ada), [film, third, special])
  await finish(await idOf('Show'))
  t.strictSame(await unfinished(ada), [film])
})

void t.test(
  'next-up continues after a completely marked season, and offers nothing of a completely marked series',
  async (t) => {
    const { db, ada, items, idOf, finish } = await setup(t)
    const next = async () => (await listNextUp({ db }, { profileId: ada })).map(({ item }) => item.id)
    await finish(await idOf('Season 1'))
    t.strictSame(await next(), [items[3]])
    await finish(await idOf('Show'))
    t.strictSame(await next(), [])
    await markUnwatched({ db }, { profileId: ada, itemId: items[3] ?? '' })
    t.strictSame(await next(), [items[3]])
  },
)

void t.test('unknown and malformed ids are refused', async (t) => {
  const { db, finish } = await setup(t)
  for (const id of [UNKNOWN, 'x', '']) await t.rejects(finish(id), { code: 'media_item_not_found' }, id)
  t.equal(await db.oneFirst(sql.unsafe`select count(*) from user_items`), 0)
})

void t.test('marks, reports and removals may be concurrent', async (t) => {
  const { db, services, ada, items, idOf, play, finish } = await setup(t)
  const [series, season] = [await idOf('Show'), await idOf('Season 1')]
  const steps = [
    ...items.map((item) => () => play(ada, item)),
    () => finish(series),
    () => finish(season),
    () => markUnwatched(services, { profileId: ada, itemId: series }),
  ]
  const failures = new Set<string>()
  const attempt = (step: () => Promise<unknown>) => step().catch((error: unknown) => void failures.add(String(error)))
  // As many at a time as the pool has connections: a longer queue would time out on a slow machine.
  const workers = Array.from({ length: 7 }, async (_, worker) => {
    for (let place = 0; place < steps.length; place += 1) {
      const step = steps[(worker + place) % steps.length]
      if (step !== undefined) await attempt(step)
      if (worker === 0 && place === 3) await attempt(() => removeItem(services, series))
    }
  })
  await Promise.all(workers)
  t.strictSame(
    [...failures].filter((text) => !/item not found/.test(text)),
    [],
  )
  t.strictSame(await db.anyFirst(sql.unsafe`select id from media_items`), items.slice(0, 1))
})
