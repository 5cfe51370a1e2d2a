import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { createAccount } from '../../../src/core/accounts/index.ts'
import { listContinueWatching, recordProgress, startPlaybackSession } from '../../../src/core/playback/index.ts'
import { queueScan, runScanJob } from '../../../src/core/scanning/index.ts'
import { markWatched, rateItem, readUserData, setFavourite, setLikeLevel } from '../../../src/core/user-items/index.ts'
import { putSample, scannedLibrary } from '../../support/scanning.ts'
import { cheapPasswordHashing } from '../../support/cheap-password.ts'

const FIRST = 'Heat (1995)/Heat (1995) - 1080p.mp4'
const SECOND = 'Heat (1995)/Heat (1995) - 720p.mp4'
const THIRD = 'Heat (1995)/Heat (1995) - 480p.mp4'
const APART = 'Elsewhere/Heat (1995) - 720p.mp4'

const NOTHING = { isFavourite: false, rating: null, likeLevel: 0, isWatched: false }

/** A library with a film, and another film elsewhere that becomes a version of it when both are in one folder. */
async function twoFilms(t: Test) {
  const library = await scannedLibrary(t)
  const { services, folder, db, items, scan } = library
  const input = { username: 'ada', email: 'ada@example.test', password: 'correct horse', isAdmin: false }
  const { id: accountId } = await createAccount({ ...services, passwordHashing: cheapPasswordHashing() }, input)
  const device = { deviceId: null, deviceName: null, deviceType: null }
  const { id: sessionId } = await startPlaybackSession(services, { profileId: accountId, ...device })
  const idOf = async (path: string): Promise<string> => (await items()).get(path)?.id ?? ''
  await putSample(folder, FIRST)
  await putSample(folder, APART)
  await scan()
  const [film, other] = [await idOf(FIRST), await idOf(APART)]
  const key = (itemId: string) => ({ profileId: accountId, itemId })
  return {
    ...library,
    film,
    other,
    idOf,
    key,
    said: (itemId: string) => readUserData(services, key(itemId)),
    /** A playback position, and a counted play. */
    play: async (mediaItemId: string, positionTicks: number) => {
      const report = { profileId: accountId, sessionId, mediaItemId, positionTicks, durationTicks: 1_000_000_000 }
      await recordProgress(services, { ...report, isPaused: false })
      await db.query(sql.unsafe`
        insert into playback_records (session_id, profile_id, media_item_id, started_at, counted_at, reached_ticks)
        values (${sessionId}, ${accountId}, ${mediaItemId}, now(), now(), ${positionTicks})`)
    },
    places: async () => {
      const unfinished = await listContinueWatching(services, { profileId: accountId })
      return unfinished.map(({ item, state }) => [item.id, state.positionTicks])
    },
    plays: async (itemId: string) =>
      Number(await db.oneFirst(sql.unsafe`select count(*) from playback_records where media_item_id = ${itemId}`)),
    bringTogether: async () => {
      renameSync(join(folder, APART), join(folder, SECOND))
      await scan('rescan')
    },
  }
}

void t.test('user data of a film that becomes a version moves to the listed film', async (t) => {
  const { services, film, other, key, said, play, places, plays, bringTogether } = await twoFilms(t)
  await rateItem(services, { ...key(other), rating: 4 })
  await setFavourite(services, { ...key(other), isFavourite: true })
  await setLikeLevel(services, { ...key(other), level: 2 })
  await markWatched(services, key(other))
  await play(other, 500_000_000)
  t.strictSame(await said(film), NOTHING)
  await bringTogether()
  t.strictSame(await said(film), { isFavourite: true, rating: 4, likeLevel: 2, isWatched: true })
  t.strictSame(await said(other), NOTHING)
  t.strictSame(await places(), [[film, 500_000_000]])
  t.strictSame([await plays(film), await plays(other)], [1, 0])
})

void t.test(
  'of two versions the newer rating and position are kept, and a favourite of either is a favourite',
  async (t) => {
    for (const isFilmLater of [true, false]) {
      const { services, film, other, key, said, play, places, bringTogether, db } = await twoFilms(t)
      const [earlier, later] = isFilmLater ? [other, film] : [film, other]
      await rateItem(services, { ...key(earlier), rating: 3 })
      await play(earlier, 700_000_000)
      await rateItem(services, { ...key(later), rating: 8 })
      await play(later, 300_000_000)
      // Independent of the resolution of the clock.
      await db.query(sql.unsafe`
      update user_items set rated_at = rated_at - interval '1 hour' where media_item_id = ${earlier}`)
      await db.query(sql.unsafe`
      update playback_states set updated_at = updated_at - interval '1 hour' where media_item_id = ${earlier}`)
      await setFavourite(services, { ...key(film), isFavourite: true })
      await markWatched(services, key(other))
      await bringTogether()
      t.strictSame(await said(film), { isFavourite: true, rating: 8, likeLevel: 0, isWatched: true })
      t.strictSame(await places(), [[film, 300_000_000]])
    }
  },
)

void t.test('a version that is separated from its film starts without user data, and the film keeps it', async (t) => {
  const { services, film, other, idOf, key, said, play, places, bringTogether, folder, scan } = await twoFilms(t)
  await rateItem(services, { ...key(other), rating: 4 })
  await play(other, 500_000_000)
  await bringTogether()
  renameSync(join(folder, SECOND), join(folder, APART))
  await scan('rescan')
  t.equal(await idOf(APART), other, 'it is a film again')
  t.match(await said(film), { rating: 4 })
  t.strictSame(await said(other), NOTHING)
  t.strictSame(await places(), [[film, 500_000_000]])
})

void t.test('when the file of the film is removed, its next version gets the user data, in any job', async (t) => {
  for (const job of ['scan', 'rescan', 'prune'] as const) {
    const world = await twoFilms(t)
    const { services, library, folder, scan, idOf, film, key, said, play, places, plays, bringTogether } = world
    await bringTogether()
    await putSample(folder, THIRD)
    await scan()
    await rateItem(services, { ...key(film), rating: 9 })
    await play(film, 500_000_000)
    rmSync(join(folder, FIRST))
    if (job === 'prune') {
      const { id } = await queueScan(services, { libraryId: library.id, type: job })
      await runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, new AbortController().signal)
    }
    await scan(job === 'scan' ? 'scan' : 'rescan')
    const heir = await idOf(SECOND)
    t.ok(heir !== '' && heir !== film, job)
    t.match(await said(heir), { rating: 9 }, job)
    t.strictSame(await places(), [[heir, 500_000_000]], job)
    t.equal(await plays(heir), 1, job)
    await putSample(folder, FIRST)
    await scan()
    t.match(await said(await idOf(FIRST)), { rating: 9 }, 'and returns it to a first version that returns')
  }
})
