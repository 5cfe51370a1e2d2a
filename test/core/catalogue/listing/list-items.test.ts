import { sql } from 'slonik'
import t, { type Test } from 'tap'
import {
  getItem,
  createCatalogueCache,
  listItems,
  writeItems,
  type ItemFilter,
  type ItemWrite,
} from '../../../../src/core/catalogue/index.ts'
import { checkItemFilter } from '../../../../src/core/catalogue/filter/item-filter.ts'
import { selectPageIds } from '../../../../src/core/catalogue/queries/pages.ts'
import { testDatabase } from '../../../support/database.ts'
import { makeLibrary } from '../../../support/records.ts'
import { listWholeItems } from '../../../support/whole-items.ts'
import { itemRow } from '../../../support/item-row.ts'

const NOW = new Date('2026-03-01T12:00:00Z')

/** A row as a scan writes it. */
function film(libraryId: string, name: string, extra: Partial<ItemWrite> = {}): ItemWrite {
  return itemRow({
    libraryId,
    name,
    sortTitle: name.replace(/^The /, ''),
    path: `/films/${name}.mkv`,
    modifiedAtNanoseconds: 1_700_000_000_123_456_789n,
    durationSeconds: 60,
    metadata: { title: name },
    canonicalKey: `${name}|1000|movie`,
    chapters: [{ startSeconds: 0, endSeconds: 1.5, title: 'Opening\0' }],
    ...extra,
  })
}

async function setup(t: Test, names: readonly (string | [string, Partial<ItemWrite>])[]) {
  const { pool: db } = await testDatabase(t)
  const catalogueCache = createCatalogueCache({ db })
  const library = await makeLibrary(db, t.testdir())
  const writes = names.map((name) => (typeof name === 'string' ? film(library.id, name) : film(library.id, ...name)))
  await writeItems(db, writes, NOW)
  const namesOf = async (filter: ItemFilter): Promise<string[]> => {
    return (await listItems({ catalogueCache }, filter)).items.map(({ name }) => name)
  }
  return { db, catalogueCache, library, names: namesOf }
}

void t.test('names are ordered without article, case and accents', async (t) => {
  const { names } = await setup(t, ['Zebra', 'The Apple', 'élan', 'Dune', 'eagle', 'Äpfel'])
  t.strictSame(await names({}), ['Äpfel', 'The Apple', 'Dune', 'eagle', 'élan', 'Zebra'])
  t.strictSame(await names({ order: 'desc' }), ['Zebra', 'élan', 'eagle', 'Dune', 'The Apple', 'Äpfel'])
  t.strictSame(await names({ sort: 'nonsense; drop table users', order: 'sideways' }), await names({}))
})

void t.test('other orders put items without a value last, in both directions', async (t) => {
  const { names } = await setup(t, [
    ['a', { year: 2001, durationSeconds: 30, metadata: { rating: 'R' } }],
    ['b', { year: null, durationSeconds: null }],
    ['c', { year: 1999, durationSeconds: 90, metadata: { rating: 'G' } }],
  ])
  t.strictSame(await names({ sort: 'year' }), ['c', 'a', 'b'])
  t.strictSame(await names({ sort: 'year', order: 'desc' }), ['a', 'c', 'b'])
  t.strictSame(await names({ sort: 'runtime', order: 'DESC' }), ['c', 'a', 'b'])
  t.strictSame(await names({ sort: 'rating' }), ['c', 'a', 'b'])
  t.strictSame((await names({ sort: 'random' })).toSorted(), ['a', 'b', 'c'])
})

void t.test('a large set in random order repeats no item, and the reading continues after the last id', async (t) => {
  const titles = Array.from({ length: 20 }, (_, index) => `film ${index}`)
  const { db, library } = await setup(t, titles)
  const filter = checkItemFilter({ sort: 'random', limit: 40 })
  // More items than are sorted by a random number.
  const itemCounts = [{ libraryId: library.id, isTopLevel: true, count: 20_001 }]
  for (let round = 0; round < 5; round += 1) {
    const ids = await selectPageIds(db, { ...filter, itemCounts })
    t.equal(ids.length, 20)
    t.equal(new Set(ids).size, 20)
  }
})

void t.test('added and date_added are one order', async (t) => {
  const { db, library, names } = await setup(t, ['first'])
  await writeItems(db, [film(library.id, 'second')], new Date(NOW.getTime() + 1000))
  t.strictSame(await names({ sort: 'added', order: 'desc' }), ['second', 'first'])
  t.strictSame(await names({ sort: 'date_added' }), ['first', 'second'])
})

void t.test('pages neither repeat nor skip, and numbers out of range are clamped', async (t) => {
  const titles = Array.from({ length: 120 }, (_, index): [string, Partial<ItemWrite>] => [
    `same`,
    { path: `/films/${index}.mkv` },
  ])
  const { catalogueCache } = await setup(t, titles)
  const ids = new Set<string>()
  for (let offset = 0; offset < 120; offset += 50) {
    for (const { id } of (await listItems({ catalogueCache }, { offset })).items) ids.add(id)
  }
  t.equal(ids.size, 120)
  t.match(await listItems({ catalogueCache }, {}), { total: 120, limit: 50, offset: 0 })
  t.equal((await listItems({ catalogueCache }, { limit: 1000 })).items.length, 100)
  t.equal((await listItems({ catalogueCache }, { limit: 0 })).items.length, 1)
  t.equal((await listItems({ catalogueCache }, { limit: -5, offset: -5 })).items.length, 1)
  t.equal((await listItems({ catalogueCache }, { limit: Number.NaN, offset: Number.NaN })).items.length, 50)
  t.match(await listItems({ catalogueCache }, { offset: Number.MAX_VALUE }), { items: [], total: 120 })
})

void t.test('search finds a part of the name, ignoring case and accents', async (t) => {
  const { names } = await setup(t, ['Amélie', 'AMELIA', 'Ame\u0301lie II', 'Łódź', 'Straße', '君の名は'])
  t.strictSame((await names({ search: 'ameli' })).length, 3)
  t.strictSame(await names({ search: 'AMÉLIE' }), ['Amélie', 'Ame\u0301lie II'])
  t.strictSame(await names({ search: 'lodz' }), ['Łódź'])
  t.strictSame(await names({ search: 'strasse' }), ['Straße'])
  t.strictSame(await names({ search: '名' }), ['君の名は'])
  t.equal((await names({ search: '   ' })).length, 6, 'a blank search is none')
})

void t.test('every character of a search is literal', async (t) => {
  const { names } = await setup(t, ['100% Wolf', '1000 Wolves', 'a_b', 'axb', 'back\\slash', 'backslash', "it's"])
  t.strictSame(await names({ search: '100%' }), ['100% Wolf'])
  t.strictSame(await names({ search: '１００％' }), ['100% Wolf'], 'full-width signs, too')
  t.strictSame(await names({ search: 'a_b' }), ['a_b'])
  t.strictSame(await names({ search: '\\' }), ['back\\slash'])
  t.strictSame(await names({ search: "it's" }), ["it's"])
  for (const search of ['%%%%', '((((', "'; drop table media_items; --", 'x'.repeat(10_000), 'a\0b', '\uD800']) {
    t.strictSame(await names({ search }), [], search.slice(0, 20))
  }
})

void t.test('a search shows names that start with it first', async (t) => {
  const { names } = await setup(t, ['A Man Escaped', 'Manhattan', 'Batman'])
  t.strictSame(await names({ search: 'man' }), ['Manhattan', 'A Man Escaped', 'Batman'])
  t.strictSame(await names({ search: 'man', sort: 'name' }), ['A Man Escaped', 'Batman', 'Manhattan'])
})

void t.test('a library, a parent and the top level narrow a list', async (t) => {
  const { db, catalogueCache, library, names } = await setup(t, ['here'])
  const other = await makeLibrary(db, t.testdir())
  await writeItems(db, [film(other.id, 'there')], NOW)
  t.strictSame(await names({ libraryId: library.id }), ['here'])
  t.strictSame(await names({ libraryId: '  ' }), ['here', 'there'])
  t.equal((await listItems({ catalogueCache }, { libraryId: other.id })).total, 1)
  const [parent] = (await listItems({ catalogueCache }, { libraryId: library.id })).items
  t.strictSame(await names({ parentId: parent?.id }), [])
  t.strictSame(await names({ topLevel: true }), ['here', 'there'])
  t.strictSame(await names({ topLevel: true, search: 'there' }), ['there'])
  await t.rejects(names({ parentId: parent?.id, topLevel: true }), {
    code: 'invalid_request',
    details: { field: 'parentId' },
  })
  t.strictSame(await names({ parentId: parent?.id, topLevel: true, search: 'there' }), [], 'no level for a search')
  await t.rejects(names({ libraryId: 'x' }), { code: 'invalid_request', details: { field: 'libraryId' } })
})

void t.test('an item comes with its streams, in order, and only for its id', async (t) => {
  const stream = {
    type: 'audio',
    codec: 'aac',
    language: 'eng',
    title: null,
    bitrate: 96_000,
    width: null,
    height: null,
  } as const
  const more = { channels: 2, isDefault: true, details: { profile: 'LC' } }
  const { db, catalogueCache } = await setup(t, [
    [
      'a',
      {
        streams: [
          { ...stream, ...more, index: 1 },
          { ...stream, ...more, index: 0, isDefault: false },
        ],
      },
    ],
  ])
  const [listed] = (await listItems({ catalogueCache }, {})).items
  const item = await getItem({ db }, listed?.id ?? '')
  const { streams, chapters, ...rest } = item
  t.match(rest, { ...listed, metadata: { title: 'a' } })
  t.strictSame(chapters, [{ startSeconds: 0, endSeconds: 1.5, title: 'Opening' }])
  t.match(streams, [
    { mediaItemId: item.id, index: 0, isDefault: false },
    { index: 1, codec: 'aac', channels: 2, details: { profile: 'LC' } },
  ])
  for (const id of ['x', '', '00000000-0000-4000-8000-000000000000']) {
    await t.rejects(getItem({ db }, id), { code: 'media_item_not_found' })
  }
})

void t.test('writing a path again changes the row, not the number of rows', async (t) => {
  const stream = {
    type: 'video',
    codec: 'h264',
    language: null,
    title: null,
    bitrate: null,
    width: 64,
    height: 48,
    channels: null,
  } as const
  const rest = { isDefault: true, details: {} }
  const { db, catalogueCache, library } = await setup(t, [
    [
      'a',
      {
        metadata: { title: 'a', source: { width: 1 } },
        streams: [
          { ...stream, ...rest, index: 0 },
          { ...stream, ...rest, index: 1 },
        ],
      },
    ],
  ])
  const [before] = (await listItems({ catalogueCache }, {})).items
  const streams = (await getItem({ db }, before?.id ?? '')).streams
  await db.query(sql.unsafe`update media_items set name_source = 'provider'`)
  const changed = film(library.id, 'a', {
    name: 'another name',
    sizeBytes: 2 ** 40,
    metadata: { title: 'x', extra: 1, source: { width: 2 } },
    streams: [{ ...stream, ...rest, index: 0, codec: 'hevc' }],
  })
  t.strictSame(await writeItems(db, [changed], NOW), [{ id: before?.id, path: changed.path, isNew: false }])
  const after = await getItem({ db }, before?.id ?? '')
  t.equal(after.name, 'a', 'a provider has named it since')
  t.equal(after.sizeBytes, 2 ** 40)
  t.strictSame(after.metadata, { title: 'a', extra: 1, source: { width: 2 } })
  t.equal(after.streams.length, 1)
  t.match(after.streams[0], { id: streams[0]?.id, codec: 'hevc' })
  await writeItems(
    db,
    [
      { ...changed, metadata: {}, probeError: 'broken' },
      { ...changed, metadata: {} },
    ],
    NOW,
  )
  t.match(await getItem({ db }, before?.id ?? ''), { probeError: null }, 'of two writes of one path the last counts')
  t.notOk(
    'source' in (await getItem({ db }, before?.id ?? '')).metadata,
    'a source that can no longer be read is deleted',
  )
})

void t.test('texts that PostgreSQL cannot store are cleaned', async (t) => {
  const { db } = await setup(t, [
    ['\0', { path: '/films/1.mkv', sortTitle: '', metadata: { 'a\0': ['b\0', { c: '\uD800x' }] }, probeError: 'no\0' }],
    ['x'.repeat(5000), { path: `/films/${'y/'.repeat(2000)}2.mkv` }],
  ])
  const [first, second] = (await listWholeItems({ db }, {})).items
  t.match(first, { name: '?', sortTitle: '?', metadata: { a: ['b', { c: '\uFFFDx' }] }, probeError: 'no' })
  t.equal(second?.name.length, 1024)
})

void t.test('lists read the provider and file metadata that they show, and local values have priority', async (t) => {
  const { catalogueCache } = await setup(t, [
    [
      'a',
      {
        metadata: { genres: ['Drama'], overview: 'Long', cast: [{ name: 'Ada' }] },
        localMetadata: { overview: 'Short' },
      },
    ],
    ['b', { metadata: { rating: 5, genres: 'Drama' } }],
  ])
  const [first, second] = (await listItems({ catalogueCache }, {})).items
  t.match(first?.metadata, { genres: ['Drama'], overview: 'Short', actors: null })
  t.notOk(Object.hasOwn(first?.metadata ?? {}, 'cast'))
  t.match(second?.metadata, { rating: 5, genres: 'Drama' }, 'a value of another form is unchanged')
})
