import t, { type Test } from 'tap'
import {
  createCatalogueCache,
  listItems,
  removeItem,
  writeItems,
  type ItemFilter,
  type ItemWrite,
} from '../../../../src/core/catalogue/index.ts'
import { systemClock } from '../../../../src/core/platform/time/index.ts'
import { testDatabase } from '../../../support/database.ts'
import { makeItems } from '../../../support/catalogue-items.ts'
import { makeLibrary } from '../../../support/records.ts'
import { itemRow } from '../../../support/item-row.ts'

async function setup(t: Test, items: readonly Partial<ItemWrite>[]) {
  const { pool: db } = await testDatabase(t)
  const catalogueCache = createCatalogueCache({ db })
  const ids = await makeItems(db, t.testdir(), items)
  const page = (filter: ItemFilter) => listItems({ catalogueCache }, filter)
  return {
    db,
    catalogueCache,
    ids,
    page,
    names: async (filter: ItemFilter) => (await page(filter)).items.map(({ name }) => name),
  }
}

/** Results of a search by name, best first. */
const named = (...names: string[]) => names.map((name) => ({ name, sortTitle: name }))

void t.test('a search is computed again after a film was added, renamed or removed', async (t) => {
  const { db, ids, names } = await setup(t, named('Dune', 'Dune Two', 'Alien'))
  const search = () => names({ search: 'dune', sort: 'relevance' })
  t.strictSame(await search(), ['Dune', 'Dune Two'])
  t.strictSame(await search(), ['Dune', 'Dune Two'], 'the second time from the cache')
  const more = await makeItems(db, t.testdir({ more: {} }), named('Dune Three'))
  t.strictSame(await search(), ['Dune', 'Dune Three', 'Dune Two'])
  await removeItem({ db, clock: systemClock }, ids[0] ?? '')
  t.strictSame(await search(), ['Dune Three', 'Dune Two'])
  await removeItem({ db, clock: systemClock }, more[0] ?? '')
  t.strictSame(await search(), ['Dune Two'])
})

void t.test('a genre is computed again after a film has got or lost it', async (t) => {
  const { db, page } = await setup(t, [])
  const library = await makeLibrary(db, t.testdir())
  const film = (genres: string[]): ItemWrite =>
    itemRow({ libraryId: library.id, name: 'Film', year: 1999, path: '/films/film.mkv', localMetadata: { genres } })
  const shown = async (genre: string) => {
    const { items, total } = await page({ genres: [genre] })
    return [items.length, total]
  }
  t.strictSame(await shown('Drama'), [0, 0])
  await writeItems(db, [film(['Drama'])], new Date())
  t.strictSame(await shown('Drama'), [1, 1])
  await writeItems(db, [film(['Comedy'])], new Date())
  t.strictSame(await shown('Drama'), [0, 0])
  t.strictSame(await shown('Comedy'), [1, 1])
})

void t.test('pages fit together at the limit of the cache, in every order', async (t) => {
  const films = Array.from({ length: 430 }, (_, index) => ({
    name: `Story ${String(index).padStart(3, '0')}`,
    sortTitle: `Story ${String(index).padStart(3, '0')}`,
    year: 1900 + (index % 100),
    metadata: { genres: ['Drama', 'War'] },
  }))
  const { page } = await setup(t, films)
  const filters: ItemFilter[] = [
    { search: 'story', sort: 'relevance' },
    { search: 'story', sort: 'relevance', order: 'desc' },
    { search: 'story', sort: 'year' },
    { genres: ['Drama'], sort: 'name' },
    { genres: ['Drama', 'War'], yearFrom: 1900, sort: 'added', order: 'desc' },
  ]
  for (const filter of filters) {
    const ids: string[] = []
    for (let offset = 0; offset < 430; offset += 90) {
      const { items, total } = await page({ ...filter, limit: 90, offset })
      t.equal(total, 430)
      ids.push(...items.map(({ id }) => id))
    }
    const again = await page({ ...filter, limit: 60, offset: 150 })
    t.equal(new Set(ids).size, 430, JSON.stringify(filter))
    t.strictSame(
      again.items.map(({ id }) => id),
      ids.slice(150, 210),
      'across the limit of the cache',
    )
  }
})

void t.test('above the maximum number of entries the least recently used one is computed again', async (t) => {
  const { catalogueCache } = await setup(t, [])
  const { getOrCompute } = await catalogueCache.open()
  const computed: string[] = []
  const get = (key: string): Promise<string> =>
    getOrCompute(key, async () => {
      computed.push(key)
      return key
    })
  const keys = Array.from({ length: 500 }, (_, index) => `key ${index}`)
  for (const key of keys) await get(key)
  await get('key 0')
  t.strictSame(computed, keys, '500 entries fit')
  await get('one more')
  await get('key 0')
  await get('key 1')
  t.strictSame(computed.slice(500), ['one more', 'key 1'])
})

void t.test('a failed computation is not cached', async (t) => {
  const { catalogueCache } = await setup(t, [])
  const { getOrCompute } = await catalogueCache.open()
  await t.rejects(
    getOrCompute('key', () => Promise.reject(new Error('no database'))),
    { message: 'no database' },
  )
  t.equal(await getOrCompute('key', async () => 'value'), 'value')
})
