import t, { type Test } from 'tap'
import { listNextUp } from '../../../src/core/playback/index.ts'
import { markWatched } from '../../../src/core/user-items/index.ts'
import { makeItems, makeUser } from '../../support/catalogue-items.ts'
import { testDatabase } from '../../support/database.ts'
import { episodes } from '../../support/film-catalogue.ts'
import { movableClock } from '../../support/records.ts'

type Dated = { day: string | null; name?: string; episodeNumber?: number }

/** A daily show with seasons by year, its marks, and the next episode. */
async function setup(t: Test, shows: readonly Dated[]) {
  const { pool: db } = await testDatabase(t)
  const clock = movableClock()
  const userId = await makeUser(db, 'viewer')
  const writes = shows.map(({ day, name = 'Show', episodeNumber = null }, index) => ({
    ...episodes([`${day?.slice(0, 4) ?? 2020}:1`])[0],
    name,
    sortTitle: name,
    episodeNumber,
    metadata: day === null ? {} : { air_date: day },
    path: `/shows/Show/${index}.mkv`,
  }))
  const ids = await makeItems(db, t.testdir(), writes)
  const watch = async (index: number) => {
    clock.advance(1)
    await markWatched({ db, clock }, { profileId: userId, itemId: ids[index] ?? '' })
    return (await listNextUp({ db }, { profileId: userId })).map(({ item }) => ids.indexOf(item.id))
  }
  return { watch }
}

void t.test('daily shows continue with the next day, also of the next year', async (t) => {
  const { watch } = await setup(t, [
    { day: '2020-11-14' },
    { day: '2020-02-03' },
    { day: '2021-01-05' },
    { day: '2020-11-15' },
  ])
  t.strictSame(await watch(1), [0])
  t.strictSame(await watch(0), [3])
  t.strictSame(await watch(3), [2])
  t.strictSame(await watch(2), [])
})

void t.test('two episodes of one day are ordered by name', async (t) => {
  const { watch } = await setup(t, [
    { day: '2020-01-01', name: 'Part B' },
    { day: '2020-01-01', name: 'Part A' },
    { day: '2020-01-02' },
  ])
  t.strictSame(await watch(1), [0])
  t.strictSame(await watch(0), [2])
})

void t.test('in one season numbers come before days, and an episode with neither is not offered', async (t) => {
  const { watch } = await setup(t, [
    { day: '2020-01-01' },
    { day: '2020-05-01', episodeNumber: 1 },
    { day: '2020-04-01', episodeNumber: 2 },
    { day: null },
  ])
  t.strictSame(await watch(3), [], 'and no event follows')
  t.strictSame(await watch(1), [2])
  t.strictSame(await watch(2), [0])
  t.strictSame(await watch(0), [])
})
