import t from 'tap'
import { createCatalogueCache } from '../../../src/core/catalogue/index.ts'
import { dismissRecommendation, recommendItems } from '../../../src/core/recommendations/index.ts'
import { markUnwatched, markWatched } from '../../../src/core/user-items/index.ts'
import { makeItems, makeUser } from '../../support/catalogue-items.ts'
import { testDatabase } from '../../support/database.ts'
import { movableClock } from '../../support/records.ts'

const SERIES = 12
const metadata = { genres: ['Drama'], actors: ['Keanu Reeves'] }

/** An episode of a separate series, in a season or in the series itself; the series are nearly equal. */
function episodeOf(name: string, isInSeason: boolean) {
  const series = { type: 'series', key: name, name, sortTitle: name, year: 2010, metadata } as const
  const season = { type: 'season', key: `${name}/1`, name: 'Season 1', sortTitle: 'Season 1', year: null, metadata: {} }
  return {
    type: 'episode' as const,
    name: `Episode of ${name}`,
    sortTitle: `Episode of ${name}`,
    seasonNumber: 1,
    episodeNumber: 1,
    path: `/shows/${name}.mkv`,
    groups: isInSeason ? [series, { ...season, type: 'season' as const, seasonNumber: 1 }] : [series],
  }
}

void t.test('a series with a watched episode is not recommended, however many there are', async (t) => {
  const { pool: db } = await testDatabase(t)
  const catalogueCache = createCatalogueCache({ db })
  const clock = movableClock()
  const userId = await makeUser(db, 'viewer')
  const names = Array.from({ length: SERIES }, (_, index) => `Series ${String.fromCharCode(65 + index)}`)
  const ids = await makeItems(
    db,
    t.testdir(),
    names.map((name, index) => episodeOf(name, index % 2 === 0)),
  )
  const recommended = async () =>
    (await recommendItems({ db, clock, catalogueCache }, { profileId: userId })).map(({ item }) => item.name).toSorted()
  for (const itemId of ids.slice(0, 10)) {
    clock.advance(1)
    await markWatched({ db, clock }, { profileId: userId, itemId })
  }
  t.strictSame(await recommended(), names.slice(10))
  await markUnwatched({ db }, { profileId: userId, itemId: ids[0] ?? '' })
  t.strictSame(await recommended(), [names[0], ...names.slice(10)], 'an item without history may be recommended again')
  const [first] = await recommendItems({ db, clock, catalogueCache }, { profileId: userId })
  await dismissRecommendation({ db, clock }, { profileId: userId, itemId: first?.item.id ?? '' })
  t.equal((await recommended()).length, 2)
})
