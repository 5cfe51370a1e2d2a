import { mkdirSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { findDuplicates, getItem, listItemFiles, listItemSources } from '../../../src/core/catalogue/index.ts'
import { addToCollection, createCollection, getCollectionWithItems } from '../../../src/core/collections/index.ts'
import { insertTarget } from '../../../src/core/outbox/index.ts'
import { listContinueWatching, recordProgress, startPlaybackSession } from '../../../src/core/playback/index.ts'
import { transferUserDataToVersions } from '../../../src/core/scanning/index.ts'
import { mergeDuplicates } from '../../../src/core/maintenance/index.ts'
import { markWatched, rateItem, readUserData, setFavourite } from '../../../src/core/user-items/index.ts'
import { makeUser } from '../../support/catalogue-items.ts'
import { reachableDirectory } from '../../support/directories.ts'
import { putSample, scannedLibrary } from '../../support/scanning.ts'

const KEPT = 'Heat (1995)/Heat (1995).mp4'
const COPY = 'Old disk/Hitze (1995)/Hitze (1995).mp4'
const COPY_SMALL = 'Old disk/Hitze (1995)/Hitze (1995) - 480p.mp4'
const NEIGHBOUR = 'Old disk/Ran (1985).mp4'

/** A library with a film and a duplicate of it under another name, with the calls of the tests. */
async function twoCopies(t: Test) {
  const world = await scannedLibrary(t)
  const { db, folder, items, services } = world
  for (const path of [KEPT, COPY]) await putSample(folder, path)
  await putSample(folder, NEIGHBOUR, 'film-silent-mp4')
  await world.scan()
  const idOf = async (path: string): Promise<string> => (await items()).get(path)?.id ?? ''
  const [kept, copy] = [await idOf(KEPT), await idOf(COPY)]
  const accountId = await makeUser(db, 'ada')
  return {
    ...world,
    kept,
    copy,
    accountId,
    idOf,
    said: (itemId: string) => readUserData(services, { profileId: accountId, itemId }),
    merge: () => mergeDuplicates(services, { keptId: kept, ids: [copy] }),
    /** The listed items. */
    listed: async () => [...(await items()).keys()].toSorted(),
  }
}

void t.test('user data about a merged duplicate is transferred to the kept item, and nothing is deleted', async (t) => {
  const { db, services, folder, library, kept, copy, accountId, said, merge, listed } = await twoCopies(t)
  const by = { id: accountId, isAdmin: true }
  const key = { profileId: accountId, itemId: copy }
  await rateItem(services, { ...key, rating: 9 })
  await setFavourite(services, { ...key, isFavourite: true })
  await markWatched(services, key)
  const device = { deviceId: null, deviceName: null, deviceType: null }
  const { id: sessionId } = await startPlaybackSession(services, { profileId: accountId, ...device })
  const report = { profileId: accountId, sessionId, mediaItemId: copy, positionTicks: 500_000_000 }
  await recordProgress(services, { ...report, durationTicks: 1_000_000_000, isPaused: false })
  const { id } = await createCollection(services, { by, input: { name: 'Mann', libraryId: library.id } })
  await addToCollection(services, { id, by, itemIds: [copy] })

  t.strictSame(await merge(), { mergedCount: 1, movedCount: 0 })

  t.strictSame(await listed(), [KEPT, NEIGHBOUR].toSorted())
  t.match(await said(kept), { isFavourite: true, rating: 9, isWatched: true })
  t.strictSame(
    (await listContinueWatching(services, { profileId: accountId })).map(({ item, state }) => [
      item.id,
      state.positionTicks,
    ]),
    [[kept, 500_000_000]],
  )
  t.strictSame([...(await getCollectionWithItems({ db }, { id })).itemIds], [kept])
  t.strictSame(
    (await listItemFiles({ db }, kept)).map(({ path }) => path),
    [join(folder, KEPT), join(folder, COPY)],
  )
  t.equal((await getItem({ db }, copy)).path, join(folder, COPY))
  t.strictSame(await findDuplicates({ db }, library.id), [], 'and they are duplicates no longer')
})

void t.test(
  'scans keep a merged duplicate as a version, also when its folder changes and other files are added',
  async (t) => {
    const { db, folder, services, scan, kept, copy, merge, listed } = await twoCopies(t)
    await merge()
    await putSample(folder, COPY_SMALL, 'film-silent-mp4')
    await scan()
    t.strictSame(await listed(), [KEPT, NEIGHBOUR].toSorted())
    t.equal(
      services.probed.some((path) => path === join(folder, COPY)),
      false,
      'and read it no more often than others',
    )
    utimesSync(join(folder, COPY), new Date('2020-01-01'), new Date('2020-01-01'))
    await scan('rescan')
    t.ok(
      services.probed.some((path) => path === join(folder, COPY)),
      'a changed file is read and written again',
    )
    t.strictSame(await listed(), [KEPT, NEIGHBOUR].toSorted())
    t.strictSame(
      (await listItemFiles({ db }, kept)).map(({ path }) => path).toSorted(),
      [KEPT, COPY, COPY_SMALL].map((path) => join(folder, path)).toSorted(),
      'versions of a merged item are versions of the listed item',
    )
    t.equal((await getItem({ db }, copy)).id, copy)
  },
)

void t.test('a merged duplicate replaces the kept item when that is removed', async (t) => {
  const { services, folder, scan, kept, copy, accountId, said, merge, listed } = await twoCopies(t)
  await rateItem(services, { profileId: accountId, itemId: kept, rating: 7 })
  await merge()
  rmSync(join(folder, KEPT))
  await scan('rescan')
  t.strictSame(await listed(), [COPY, NEIGHBOUR].toSorted())
  t.match(await said(copy), { rating: 7 })
})

void t.test('versions of a merged item follow it, and so do items that were merged into it before', async (t) => {
  const { db, folder, services, scan, kept, idOf } = await twoCopies(t)
  await putSample(folder, COPY_SMALL)
  await scan()
  const neighbour = await idOf(NEIGHBOUR)
  const film = (await idOf(COPY)) === '' ? await idOf(COPY_SMALL) : await idOf(COPY)
  await mergeDuplicates(services, { keptId: film, ids: [neighbour] })
  t.strictSame(await mergeDuplicates(services, { keptId: kept, ids: [film] }), { mergedCount: 1, movedCount: 1 })
  t.equal((await listItemFiles({ db }, kept)).length, 4)
})

void t.test(
  'a kept film that is moved so that names make it a version of its own duplicate remains the listed item',
  async (t) => {
    const { db, folder, scan, kept, accountId, services, said, idOf } = await twoCopies(t)
    const apart = 'Elsewhere/Heat (1995) - 480p.mp4'
    await putSample(folder, apart)
    await scan()
    const copy = await idOf(apart)
    await mergeDuplicates(services, { keptId: copy, ids: [kept] })
    await rateItem(services, { profileId: accountId, itemId: copy, rating: 7 })
    const moved = 'Heat (1995)/Heat (1995) - 480p.mp4'
    renameSync(join(folder, apart), join(folder, moved))
    await scan('rescan')
    t.equal(await idOf(moved), copy)
    t.equal(await idOf(KEPT), '')
    t.strictSame(
      (await listItemFiles({ db }, copy)).map(({ path }) => path),
      [join(folder, moved), join(folder, KEPT)],
    )
    t.match(await said(copy), { rating: 7 })
    utimesSync(join(folder, moved), new Date('2020-01-01'), new Date('2020-01-01'))
    await scan('rescan')
    t.equal(await idOf(moved), copy, 'also when names are written again')
  },
)

void t.test(
  'a cycle of a merged duplicate, the kept film and a version between them is broken at the kept film',
  async (t) => {
    const { db, services, kept, copy, library, idOf, merge, listed } = await twoCopies(t)
    const neighbour = await idOf(NEIGHBOUR)
    await merge()
    await db.query(sql.unsafe`
    update media_items set role = 'version', role_label = 'x',
      primary_id = case id when ${kept} then ${neighbour}::uuid else ${copy}::uuid end
    where id in (${kept}, ${neighbour})`)
    t.strictSame(await listed(), [])
    await db.transaction((connection) =>
      transferUserDataToVersions(connection, { libraryId: library.id, now: services.clock.now() }),
    )
    t.strictSame(await listed(), [KEPT])
    t.equal((await listItemFiles({ db }, kept)).length, 3)
  },
)

void t.test('while the kept file is missing the largest merged duplicate is listed with the user data', async (t) => {
  const { db, folder, services, scan, kept, copy, accountId, said, idOf, merge, listed } = await twoCopies(t)
  const neighbour = await idOf(NEIGHBOUR)
  await rateItem(services, { profileId: accountId, itemId: kept, rating: 7 })
  await merge()
  await mergeDuplicates(services, { keptId: kept, ids: [neighbour] })
  const sizes = await db.anyFirst(sql.unsafe`
    select id from media_items where id in (${copy}, ${neighbour}) order by size_bytes desc`)
  const [[larger, largerId], [smaller, smallerId]] =
    sizes[0] === copy
      ? ([
          [COPY, copy],
          [NEIGHBOUR, neighbour],
        ] as const)
      : ([
          [NEIGHBOUR, neighbour],
          [COPY, copy],
        ] as const)
  const elsewhere = reachableDirectory(t)
  const away = (path: string) => join(elsewhere, path.replaceAll('/', '-'))

  renameSync(join(folder, KEPT), away(KEPT))
  await scan()
  t.strictSame(await listed(), [larger])
  t.match(await said(largerId), { rating: 7 })
  t.strictSame(
    (await listItemSources({ db }, await getItem({ db }, largerId))).map(({ item }) => item.id),
    [largerId, smallerId],
    'it can be played, and so can the other versions',
  )
  await scan()
  t.strictSame(await listed(), [larger])

  renameSync(join(folder, larger), away(larger))
  await scan()
  t.strictSame(await listed(), [smaller])
  t.match(await said(smallerId), { rating: 7 })

  mkdirSync(join(folder, 'Heat (1995)'), { recursive: true })
  renameSync(away(KEPT), join(folder, KEPT))
  renameSync(away(larger), join(folder, larger))
  await scan()
  t.strictSame(await listed(), [KEPT], 'the kept film returns with its file')
  t.match(await said(kept), { rating: 7 })
  t.equal((await listItemFiles({ db }, kept)).length, 3)
})

void t.test('a merge while the kept file is missing persists when the file returns', async (t) => {
  const { folder, services, scan, copy, idOf, merge, listed } = await twoCopies(t)
  const neighbour = await idOf(NEIGHBOUR)
  await merge()
  const away = join(reachableDirectory(t), 'away.mp4')
  renameSync(join(folder, KEPT), away)
  await scan()
  await mergeDuplicates(services, { keptId: neighbour, ids: [copy] })
  renameSync(away, join(folder, KEPT))
  await scan()
  t.strictSame(await listed(), [NEIGHBOUR])
})

void t.test('a duplicate of a film that becomes a part of another one is a separate film again', async (t) => {
  const { db, services, library, kept, copy, idOf, merge, listed } = await twoCopies(t)
  const neighbour = await idOf(NEIGHBOUR)
  await merge()
  await db.query(sql.unsafe`
    update media_items set role = 'part', role_order = 2, primary_id = ${neighbour} where id = ${kept}`)
  await db.transaction((connection) =>
    transferUserDataToVersions(connection, { libraryId: library.id, now: services.clock.now() }),
  )
  t.strictSame(await listed(), [COPY, NEIGHBOUR].toSorted())
  t.equal(await db.oneFirst(sql.unsafe`select merged_into from media_items where id = ${copy}`), null)
})

void t.test('webhooks are notified of the duplicates that are no longer listed', async (t) => {
  const { db, services, kept, copy, merge } = await twoCopies(t)
  await insertTarget(db, { kind: 'webhook', name: 'x', events: ['library.updated'], now: services.clock.now() })
  await merge()
  const facts = await db.anyFirst(sql.unsafe`select facts from deliveries order by facts ->> 'change'`)
  t.match(facts, [
    { change: 'item_removed', mediaItemIds: [copy], itemCount: 1, titles: ['Hitze (1995)'] },
    { change: 'metadata_updated', mediaItemIds: [kept], itemCount: 1 },
  ])
})

void t.test('items that cannot be merged are refused with the reason, and nothing changes', async (t) => {
  const { services, kept, copy, merge, listed } = await twoCopies(t)
  const before = await listed()
  const refused = (ids: string[], keptId = kept) => mergeDuplicates(services, { keptId, ids })
  await t.rejects(refused([]), { code: 'invalid_merge', message: /1 to 100/, details: { field: 'duplicate_ids' } })
  await t.rejects(refused([kept]), { code: 'invalid_merge', message: /itself/ })
  await t.rejects(refused([copy, copy]), { code: 'invalid_merge', message: /twice/ })
  await t.rejects(refused([copy], 'x'), { code: 'media_item_not_found' })
  await t.rejects(refused([copy, '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11']), { code: 'media_item_not_found' })
  t.strictSame(await listed(), before)
  await merge()
  await t.rejects(merge(), { code: 'invalid_merge', message: /belongs to another item already/ })
  await t.rejects(refused([kept], copy), { code: 'invalid_merge', details: { field: 'primary_id' } })
})
