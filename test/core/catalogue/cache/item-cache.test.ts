import { Client } from 'pg'
import { sql } from 'slonik'
import t from 'tap'
import {
  createCatalogueCache,
  findItems,
  findCachedItems,
  listItems,
  removeItem,
} from '../../../../src/core/catalogue/index.ts'
import { systemClock } from '../../../../src/core/platform/time/index.ts'
import { makeItems } from '../../../support/catalogue-items.ts'
import { countedDatabase } from '../../../support/counted-work.ts'
import { fillTable, testDatabase } from '../../../support/database.ts'

/** Films with these titles, sorted by them. */
const titled = (...titles: string[]) => titles.map((title) => ({ name: title, sortTitle: title }))

void t.test('every write to an item shows in the next page', async (t) => {
  const { pool: db, connectionUri } = await testDatabase(t)
  const catalogueCache = createCatalogueCache({ db })
  const [first = ''] = await makeItems(db, t.testdir(), titled('Alien', 'Brazil'))
  const shown = async () => {
    const { items } = await listItems({ catalogueCache }, { libraryId: undefined })
    return items.map(({ name, metadata }) => [name, metadata['overview'] ?? null])
  }
  const before = await shown()
  t.strictSame(before, [
    ['Alien', null],
    ['Brazil', null],
  ])
  t.strictSame(await shown(), before, 'the second time from the cache')
  await db.query(sql.unsafe`update media_items set metadata = '{"overview": "In space."}' where id = ${first}`)
  t.strictSame((await shown())[0], ['Alien', 'In space.'])
  const writer = new Client({ connectionString: connectionUri })
  await writer.connect()
  const write = (text: string) =>
    writer.query('update media_items set metadata = $2 where id = $1', [first, { overview: text }])
  await writer.query('begin')
  await write('One.')
  t.strictSame((await shown())[0], ['Alien', 'In space.'], 'uncommitted changes are invisible')
  await write('Two.')
  await writer.query('commit')
  await writer.end()
  t.strictSame((await shown())[0], ['Alien', 'Two.'], 'within one transaction the last write counts')
  await removeItem({ db, clock: systemClock }, first)
  t.strictSame(await shown(), [['Brazil', null]])
})

void t.test('every write to an item shows in the complete item', async (t) => {
  const { pool: db } = await testDatabase(t)
  const catalogueCache = createCatalogueCache({ db })
  const ids = await makeItems(db, t.testdir(), titled('Alien', 'Brazil'))
  const [first = '', second = ''] = ids
  const known = async () =>
    (await findCachedItems({ catalogueCache }, [second, first])).map((item) => [item.name, item.bitrate])
  t.strictSame(await known(), [
    ['Brazil', 1_000_000],
    ['Alien', 1_000_000],
  ])
  t.strictSame(
    await findCachedItems({ catalogueCache }, ids),
    await findItems({ db }, ids),
    'the second time from the cache',
  )
  await db.query(sql.unsafe`update media_items set bitrate = 1000 where id = ${first}`)
  t.strictSame(await known(), [
    ['Brazil', 1_000_000],
    ['Alien', 1000],
  ])
  await removeItem({ db, clock: systemClock }, second)
  t.strictSame(await known(), [['Alien', 1000]])
  t.strictSame(await findCachedItems({ catalogueCache }, []), [])
})

void t.test('pages with more items than the cache holds are complete, also with concurrent reads', async (t) => {
  const { pool: db } = await testDatabase(t)
  const catalogueCache = createCatalogueCache({ db })
  const [known = ''] = await makeItems(db, t.testdir(), titled('Film 0'))
  await fillTable(
    db,
    sql.unsafe`
    insert into media_items (library_id, type, name, sort_title, path, path_hash, size_bytes, modified_ns, metadata, local_metadata,
      added_at, created_at, updated_at)
    select i.library_id, i.type, 'Film ' || n, 'Film ' || n, i.path || n, sha256(('' || n)::bytea), i.size_bytes, i.modified_ns,
      i.metadata, i.local_metadata, i.added_at, i.created_at, i.updated_at
    from media_items i, generate_series(1, 5999) n where i.id = ${known}`,
  )
  const pages = await Promise.all(
    Array.from({ length: 120 }, (_, page) => listItems({ catalogueCache }, { limit: 100, offset: (page % 60) * 100 })),
  )
  const ids = pages.flatMap(({ items }) => items.map(({ id }) => id))
  t.equal(ids.length, 12_000)
  t.equal(new Set(ids).size, 6000)
})

void t.test('above the maximum number of complete items the least recently used one is read again', async (t) => {
  const { services, asked } = countedDatabase({ db: (await testDatabase(t)).pool })
  const catalogueCache = createCatalogueCache(services)
  const names = Array.from({ length: 301 }, (_, index) => `Film ${String(index).padStart(3, '0')}`)
  const [first = '', second = '', ...others] = await makeItems(services.db, t.testdir(), titled(...names))
  /** The number of statements besides the one for the version of the catalogue. */
  const readsOf = async (id: string): Promise<number> => {
    asked.length = 0
    t.equal((await findCachedItems({ catalogueCache }, [id])).length, 1)
    return asked.length - 1
  }
  await findCachedItems({ catalogueCache }, [first, second])
  await findCachedItems({ catalogueCache }, others.slice(0, 298))
  t.equal(await readsOf(first), 0, '300 items fit')
  t.equal(await readsOf(others.at(-1) ?? ''), 1)
  t.equal(await readsOf(first), 0, 'it was used after the second one')
  t.equal(await readsOf(second), 1)
})

void t.test('a part of a long list fills free places of the cache and evicts nothing', async (t) => {
  const { services, asked } = countedDatabase({ db: (await testDatabase(t)).pool })
  const catalogueCache = createCatalogueCache(services)
  const names = Array.from({ length: 302 }, (_, index) => `Film ${String(index).padStart(3, '0')}`)
  const [first = '', second = '', ...others] = await makeItems(services.db, t.testdir(), titled(...names))
  const [last = ''] = others.slice(-1)
  const read = (ids: readonly string[]) => findCachedItems({ catalogueCache }, ids, { mayEvict: false })
  /** The number of statements besides the one for the version of the catalogue. */
  const readsOf = async (ids: readonly string[]): Promise<number> => {
    asked.length = 0
    t.equal((await read(ids)).length, ids.length)
    return asked.length - 1
  }
  await read([first])
  await findCachedItems({ catalogueCache }, others.slice(0, 298))
  t.equal(await readsOf([second, last]), 1)
  t.equal(await readsOf([first, second, ...others.slice(0, 298)]), 0, 'one place was free')
  t.equal(await readsOf([last]), 1, 'no place was free')
  await services.db.query(sql.unsafe`update media_items set bitrate = 1000 where id = ${first}`)
  t.match(await read([first]), [{ bitrate: 1000 }])
  t.equal(await readsOf([first]), 0, 'a changed item is cached again')
})
