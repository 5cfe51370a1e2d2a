import { rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { findDuplicates, getItem, listItemFiles } from '../../../src/core/catalogue/index.ts'
import { addToCollection, createCollection, readCollection } from '../../../src/core/collections/index.ts'
import { continueWatching, recordProgress, startSession } from '../../../src/core/playback/index.ts'
import { mergeDuplicates } from '../../../src/core/upkeep/index.ts'
import { markWatched, rateItem, readUserData, setFavourite } from '../../../src/core/user-items/index.ts'
import { makeUser } from '../../support/catalogue-items.ts'
import { putSample, scannedLibrary } from '../../support/scanning.ts'

const KEPT = 'Heat (1995)/Heat (1995).mp4'
const COPY = 'Old disk/Hitze (1995)/Hitze (1995).mp4'
const COPY_SMALL = 'Old disk/Hitze (1995)/Hitze (1995) - 480p.mp4'
const NEIGHBOUR = 'Old disk/Ran (1985).mp4'

/** A library with a film and a copy of it under another name, and what a test asks of them. */
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
    said: (itemId: string) => readUserData(services, { accountId, itemId }),
    merge: () => mergeDuplicates(services, { keptId: kept, ids: [copy] }),
    /** What lists show. */
    listed: async () => [...(await items()).keys()].toSorted(),
  }
}

void t.test(
  'what people said about a merged copy is said about the item that is kept, and nothing is removed',
  async (t) => {
    const { db, services, folder, library, kept, copy, accountId, said, merge, listed } = await twoCopies(t)
    const by = { id: accountId, isAdmin: true }
    const key = { accountId, itemId: copy }
    await rateItem(services, { ...key, rating: 9 })
    await setFavourite(services, { ...key, isFavourite: true })
    await markWatched(services, key)
    const device = { deviceId: null, deviceName: null, deviceType: null }
    const { id: sessionId } = await startSession(services, { userId: accountId, ...device })
    const report = { userId: accountId, sessionId, mediaItemId: copy, positionTicks: 500_000_000 }
    await recordProgress(services, { ...report, durationTicks: 1_000_000_000, isPaused: false })
    const { id } = await createCollection(services, { by, input: { name: 'Mann', libraryId: library.id } })
    await addToCollection(services, { id, by, itemIds: [copy] })

    t.strictSame(await merge(), { mergedCount: 1, movedCount: 0 })

    t.strictSame(await listed(), [KEPT, NEIGHBOUR].toSorted())
    t.match(await said(kept), { isFavourite: true, rating: 9, isWatched: true })
    t.strictSame(
      (await continueWatching(services, { userId: accountId })).map(({ item, state }) => [
        item.id,
        state.positionTicks,
      ]),
      [[kept, 500_000_000]],
    )
    t.strictSame(
      (await readCollection({ db }, { id })).items.map((item) => item.id),
      [kept],
    )
    t.strictSame(
      (await listItemFiles({ db }, kept)).map(({ path }) => path),
      [join(folder, KEPT), join(folder, COPY)],
    )
    t.equal((await getItem({ db }, copy)).path, join(folder, COPY))
    t.strictSame(await findDuplicates({ db }, library.id), [], 'and they are duplicates no longer')
  },
)

void t.test('scans leave a merged copy a version, also when its folder changes and other files come', async (t) => {
  const { db, folder, services, scan, kept, copy, merge, listed } = await twoCopies(t)
  await merge()
  await putSample(folder, COPY_SMALL, 'film-silent-mp4')
  await scan()
  t.strictSame(await listed(), [KEPT, NEIGHBOUR].toSorted())
  t.equal(
    services.probed.some((path) => path === join(folder, COPY)),
    false,
    'and read it no more than others',
  )
  utimesSync(join(folder, COPY), new Date('2020-01-01'), new Date('2020-01-01'))
  await scan('rescan')
  t.ok(
    services.probed.some((path) => path === join(folder, COPY)),
    'a changed file is read and written anew',
  )
  t.strictSame(await listed(), [KEPT, NEIGHBOUR].toSorted())
  t.strictSame(
    (await listItemFiles({ db }, kept)).map(({ path }) => path).toSorted(),
    [KEPT, COPY, COPY_SMALL].map((path) => join(folder, path)).toSorted(),
    'versions of what was merged are versions of what is listed',
  )
  t.equal((await getItem({ db }, copy)).id, copy)
})

void t.test('a merged copy takes the place of the item that is kept when that is removed', async (t) => {
  const { services, folder, scan, kept, copy, accountId, said, merge, listed } = await twoCopies(t)
  await rateItem(services, { accountId, itemId: kept, rating: 7 })
  await merge()
  rmSync(join(folder, KEPT))
  await scan('rescan')
  t.strictSame(await listed(), [COPY, NEIGHBOUR].toSorted())
  t.match(await said(copy), { rating: 7 })
})

void t.test('versions of a merged item go with it, and what was merged into it before', async (t) => {
  const { db, folder, services, scan, kept, idOf } = await twoCopies(t)
  await putSample(folder, COPY_SMALL)
  await scan()
  const neighbour = await idOf(NEIGHBOUR)
  const film = (await idOf(COPY)) === '' ? await idOf(COPY_SMALL) : await idOf(COPY)
  await mergeDuplicates(services, { keptId: film, ids: [neighbour] })
  t.strictSame(await mergeDuplicates(services, { keptId: kept, ids: [film] }), { mergedCount: 1, movedCount: 1 })
  t.equal((await listItemFiles({ db }, kept)).length, 4)
})

void t.test('what cannot be merged is refused with the reason, and nothing changes', async (t) => {
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
