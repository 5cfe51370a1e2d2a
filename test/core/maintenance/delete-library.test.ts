import { existsSync } from 'node:fs'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { getLibrary } from '../../../src/core/libraries/index.ts'
import { recordProgress, startPlaybackSession } from '../../../src/core/playback/index.ts'
import { systemClock } from '../../../src/core/platform/time/index.ts'
import { deleteLibrary, describeLibraryContent } from '../../../src/core/maintenance/index.ts'
import { setFavourite } from '../../../src/core/user-items/index.ts'
import { makeItems, makeUser } from '../../support/catalogue-items.ts'
import { testDatabase } from '../../support/database.ts'

async function setup(t: Test, count: number) {
  const { pool: db } = await testDatabase(t)
  const folder = t.testdir({ films: {}, more: {} })
  const itemIds = await makeItems(
    db,
    `${folder}/films`,
    Array.from({ length: count }, () => ({})),
  )
  const [libraryId] = await db.anyFirst(sql.unsafe`select id from libraries`)
  const services = { db, clock: systemClock }
  return { db, services, folder, itemIds, libraryId: String(libraryId) }
}

void t.test('the content lists the users whose favourites and positions are deleted with a library', async (t) => {
  const { db, services, itemIds, libraryId } = await setup(t, 3)
  t.match(await describeLibraryContent({ db }, libraryId), { library: { id: libraryId, itemCount: 3 }, people: [] })
  const [ada, bob] = [await makeUser(db, 'ada'), await makeUser(db, 'bob')]
  const [first = '', second = ''] = itemIds
  await setFavourite(services, { profileId: ada, itemId: first, isFavourite: true })
  await setFavourite(services, { profileId: ada, itemId: second, isFavourite: true })
  const session = await startPlaybackSession(services, {
    profileId: bob,
    deviceId: null,
    deviceName: null,
    deviceType: null,
  })
  await recordProgress(services, {
    profileId: bob,
    sessionId: session.id,
    mediaItemId: first,
    positionTicks: 100_000_000,
    isPaused: false,
  })
  const { people } = await describeLibraryContent({ db }, libraryId)
  t.strictSame(people, [
    { username: 'ada', itemCount: 2 },
    { username: 'bob', itemCount: 1 },
  ])
})

void t.test('a library is deleted with all its rows, in batches; other libraries and all files remain', async (t) => {
  const { db, services, folder, libraryId } = await setup(t, 1203)
  const kept = await makeItems(db, `${folder}/more`, [{}])
  const { library, cancelledJobs } = await deleteLibrary(services, libraryId)
  t.match(library, { id: libraryId, itemCount: 1203 })
  t.strictSame(cancelledJobs, [])
  t.strictSame(await db.anyFirst(sql.unsafe`select id from media_items`), kept)
  t.equal(await db.oneFirst(sql.unsafe`select count(*) from libraries`), 1)
  t.equal(await db.oneFirst(sql.unsafe`select count(*) from library_roots`), 1)
  t.ok(existsSync(`${folder}/films`))
  await t.rejects(getLibrary({ db }, libraryId), { code: 'library_not_found' })
})

void t.test('two concurrent deletions of one library both succeed', async (t) => {
  const { services, libraryId } = await setup(t, 700)
  const outcomes = await Promise.allSettled([deleteLibrary(services, libraryId), deleteLibrary(services, libraryId)])
  for (const outcome of outcomes) {
    t.ok(outcome.status === 'fulfilled' || (outcome.reason as { code: string }).code === 'library_not_found')
  }
  for (const id of ['x', '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11']) {
    await t.rejects(deleteLibrary(services, id), { code: 'library_not_found' })
    await t.rejects(describeLibraryContent(services, id), { code: 'library_not_found' })
  }
})
