import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createAccount } from '../../../src/core/accounts/index.ts'
import {
  listFavourites,
  markWatched,
  rateItem,
  readUserData,
  setFavourite,
} from '../../../src/core/user-items/index.ts'
import { putSample, scannedLibrary } from '../../support/scanning.ts'
import { cheapPasswordHashing } from '../../support/cheap-password.ts'

async function setup(t: Test) {
  const library = await scannedLibrary(t)
  const input = { username: 'ada', email: 'ada@example.test', password: 'correct horse', isAdmin: false }
  const { id: accountId } = await createAccount({ ...library.services, passwordHashing: cheapPasswordHashing() }, input)
  const idOf = async (path: string): Promise<string> => (await library.items()).get(path)?.id ?? ''
  return { ...library, accountId, idOf }
}

void t.test('the user data of a film outlives scans and a move of its file', async (t) => {
  const { services, folder, scan, accountId, idOf } = await setup(t)
  const path = await putSample(folder, 'old/Film.mp4')
  await scan()
  const itemId = await idOf('old/Film.mp4')
  await setFavourite(services, { profileId: accountId, itemId, isFavourite: true })
  await rateItem(services, { profileId: accountId, itemId, rating: 9 })
  const said = { isFavourite: true, rating: 9, likeLevel: 0, isWatched: false }
  await scan('rescan')
  t.strictSame(await readUserData(services, { profileId: accountId, itemId }), said)
  mkdirSync(join(folder, 'new'))
  renameSync(path, join(folder, 'new/Film.mp4'))
  await scan()
  const listed = await listFavourites(services, { profileId: accountId })
  t.match(listed.favourites, [{ item: { id: itemId } }], 'a missing favourite is still listed')
  await scan('rescan')
  t.equal(await idOf('new/Film.mp4'), itemId)
  t.strictSame(await readUserData(services, { profileId: accountId, itemId }), said)
  rmSync(join(folder, 'new'), { recursive: true })
  await scan('rescan')
  t.match(
    await listFavourites(services, { profileId: accountId }),
    { favourites: [] },
    'files that are really missing are removed',
  )
})

void t.test('user data of a moved film between a scan and the rescan is kept', async (t) => {
  const { services, folder, scan, accountId, idOf } = await setup(t)
  const path = await putSample(folder, 'old/Film.mp4')
  await scan()
  const itemId = await idOf('old/Film.mp4')
  await rateItem(services, { profileId: accountId, itemId, rating: 4 })
  mkdirSync(join(folder, 'new'))
  renameSync(path, join(folder, 'new/Film.mp4'))
  await scan()
  const shortLivedId = await idOf('new/Film.mp4')
  t.not(shortLivedId, itemId)
  await markWatched(services, { profileId: accountId, itemId: shortLivedId })
  await rateItem(services, { profileId: accountId, itemId: shortLivedId, rating: 6 })
  await scan('rescan')
  t.equal(await idOf('new/Film.mp4'), itemId)
  t.match(await readUserData(services, { profileId: accountId, itemId }), { rating: 6, isWatched: true })
})
