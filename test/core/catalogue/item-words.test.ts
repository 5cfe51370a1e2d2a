import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import {
  createCatalogueCache,
  removeUnusedSearchWords,
  listItems,
  removeItem,
} from '../../../src/core/catalogue/index.ts'
import { loadConfig } from '../../../src/core/platform/config/index.ts'
import { migrate, type Database } from '../../../src/core/platform/database/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import { systemClock } from '../../../src/core/platform/time/index.ts'
import { deleteLibrary } from '../../../src/core/maintenance/index.ts'
import { makeItems } from '../../support/catalogue-items.ts'
import { testDatabase } from '../../support/database.ts'
import { seededRandom } from '../../support/seeded-random.ts'

const MIGRATIONS = join(import.meta.dirname, '..', '..', '..', 'migrations')

async function setup(t: Test, names: readonly string[]) {
  const { pool: db, connectionUri } = await testDatabase(t)
  const catalogueCache = createCatalogueCache({ db })
  const ids = await makeItems(
    db,
    t.testdir(),
    names.map((name) => ({ name, sortTitle: name })),
  )
  const found = async (search: string) =>
    (await listItems({ catalogueCache }, { search, limit: 200 })).items.map(({ name }) => name)
  return { db, catalogueCache, connectionUri, ids, found }
}

const wordsOf = (db: Database) => db.anyFirst(sql.unsafe`select word from item_words order by word`)

/** The expected result of a word search, by reading every name. */
async function namesHolding(db: Database, words: readonly string[]): Promise<readonly unknown[]> {
  const conditions = words.map((word) => sql.fragment`strpos(search_name, search_fold(${word})) > 0`)
  return db.anyFirst(sql.unsafe`
    select name from media_items where ${sql.join(conditions, sql.fragment` and `)} order by name collate "C"`)
}

void t.test(
  'any part of any word finds each name that contains it, after names were added, changed and removed',
  async (t) => {
    const random = seededRandom(20_260_301)
    const syllables = [
      'ba',
      'del',
      'É',
      'gör',
      "o'",
      '%',
      '_',
      '!',
      '\\',
      '-',
      '君の名は',
      'ßt',
      '½',
      '"',
      'nn',
      'Łó',
      '100',
    ]
    const word = () => Array.from({ length: 1 + random.below(4) }, () => random.pick(syllables)).join('')
    const name = () => Array.from({ length: 1 + random.below(4) }, word).join(random.pick([' ', '  ', '\u00A0', ' - ']))
    const { db, catalogueCache, ids } = await setup(t, Array.from({ length: 150 }, name))
    const check = async (): Promise<void> => {
      for (let round = 0; round < 60; round++) {
        const words = Array.from({ length: 1 + random.below(2) }, () => word().slice(random.below(2)))
        // Fewer letters in a row are searched by another method.
        if (!words.some((one) => /[\p{L}\p{N}]{3}/u.test(one))) continue
        const expected = (await namesHolding(db, words)).map(String)
        if (expected.length === 0) continue
        const { items, total } = await listItems({ catalogueCache }, { search: words.join(' '), limit: 200 })
        t.same(new Set(items.map((item) => item.name)), new Set(expected), words.join(' '))
        t.equal(total, expected.length)
      }
    }
    await check()
    for (const id of ids.slice(0, 70))
      await db.query(sql.unsafe`update media_items set name = ${name()} where id = ${id}`)
    for (const id of ids.slice(100, 120)) await removeItem({ db, clock: systemClock }, id)
    await check()
  },
)

void t.test('a renamed item is found by its new name only, a removed one not at all', async (t) => {
  const { db, ids, found } = await setup(t, ['Quixotic Zebra', 'Zebra'])
  await db.query(sql.unsafe`update media_items set name = 'Flummoxed Zebra' where id = ${ids[0] ?? ''}`)
  t.strictSame(await found('lummox'), ['Flummoxed Zebra'])
  t.strictSame(await found('uixot'), [])
  await removeItem({ db, clock: systemClock }, ids[0] ?? '')
  t.strictSame(await found('lummox'), [])
  t.strictSame(await found('ebra'), ['Zebra'])
})

void t.test('names without spaces that exceed an index entry are found by their ends, too', async (t) => {
  const long = `${'x'.repeat(900)}tailend`
  const kanji = Array.from({ length: 1000 }, (_, index) => String.fromCodePoint(0x4e_00 + index)).join('')
  const { found } = await setup(t, [long, kanji, `Short ${'y'.repeat(100)} word`, `${'z'.repeat(101)} word`, 'tail'])
  t.strictSame(await found('tailend'), [long])
  t.strictSame(await found('x'.repeat(150)), [long])
  t.strictSame(await found(kanji.slice(900, 910)), [kanji])
  t.strictSame(await found('y'.repeat(100)), [`Short ${'y'.repeat(100)} word`])
  t.strictSame(await found(`${'z'.repeat(101)} word`), [`${'z'.repeat(101)} word`])
  t.strictSame(await found('q'.repeat(256)), [])
})

void t.test('a part that occurs in more words than the limit of single lookups finds all of them', async (t) => {
  const names = Array.from({ length: 100 }, (_, index) => `pre${index}abcd common`)
  const { found } = await setup(t, names)
  t.equal((await found('abcd')).length, 100)
  t.equal((await found('common abcd')).length, 100)
  t.strictSame(await found('abcd pre77'), ['pre77abcd common'])
})

/** Another connection, in a transaction of its own. */
async function beginElsewhere(t: Test, connectionUri: string): Promise<Client> {
  const client = new Client({ connectionString: connectionUri })
  await client.connect()
  t.teardown(() => client.end())
  await client.query('begin')
  return client
}

const RENAME = 'update media_items set name = $1 where id = $2'

void t.test(
  'two transactions that add the same word do not block each other, and one may be rolled back',
  async (t) => {
    const { connectionUri, ids, found } = await setup(t, ['One', 'Two'])
    const [first, second] = [await beginElsewhere(t, connectionUri), await beginElsewhere(t, connectionUri)]
    await first.query(RENAME, ['Serendipity 0', ids[0]])
    await second.query(RENAME, ['Serendipity 1', ids[1]])
    await second.query('commit')
    await first.query('rollback')
    t.strictSame(await found('rendip'), ['Serendipity 1'])
  },
)

void t.test('unused words are removed with a library, and used words stay', async (t) => {
  const { db, found } = await setup(t, ['Shared Alpha'])
  const [other = ''] = await makeItems(db, t.testdir({ other: {} }), [{ name: 'Shared Omega', sortTitle: 'Omega' }])
  const libraryId = String(await db.oneFirst(sql.unsafe`select library_id from media_items where id = ${other}`))
  t.strictSame(await wordsOf(db), ['alpha', 'omega', 'shared'])
  await deleteLibrary({ db, clock: systemClock }, libraryId)
  t.strictSame(await wordsOf(db), ['alpha', 'shared'])
  t.strictSame(await found('shared'), ['Shared Alpha'])
})

void t.test('words are not removed while an item that has them is being written', async (t) => {
  const { db, connectionUri, ids, found } = await setup(t, ['Ephemeral'])
  await db.query(sql.unsafe`update media_items set name = 'Plain' where id = ${ids[0] ?? ''}`)
  const writer = await beginElsewhere(t, connectionUri)
  await writer.query(RENAME, ['Ephemeral', ids[0]])
  await removeUnusedSearchWords({ db })
  await writer.query('commit')
  t.strictSame(await found('hemera'), ['Ephemeral'])
  await removeUnusedSearchWords({ db })
  t.strictSame(await wordsOf(db), ['ephemeral'])
})

void t.test('the words of items from before the migration are found', async (t) => {
  const { pool: db, connectionUri } = await testDatabase(t)
  const catalogueCache = createCatalogueCache({ db })
  const log = await createLogger(loadConfig({ environment: {} }), { level: 'emergency' })
  await db.query(sql.unsafe`drop schema public cascade`)
  await db.query(sql.unsafe`create schema public`)
  const before = t.testdir()
  for (const file of readdirSync(MIGRATIONS).filter((name) => name < '0044'))
    cpSync(join(MIGRATIONS, file), join(before, file))
  await migrate({ connectionUri, log, directory: before })
  const libraryId = String(
    await db.oneFirst(sql.unsafe`
      insert into libraries (name, type, created_at, updated_at) values ('Old', 'movie', now(), now()) returning id`),
  )
  for (const name of ['Amélie', '百年の孤独']) {
    await db.query(sql.unsafe`
      insert into media_items (library_id, type, name, sort_title, added_at, created_at, updated_at, group_key)
      values (${libraryId}, 'series', ${name}, ${name}, now(), now(), now(), ${name})`)
  }
  await migrate({ connectionUri, log })
  const found = async (search: string) =>
    (await listItems({ catalogueCache }, { search })).items.map(({ name }) => name)
  t.strictSame(await found('MELI'), ['Amélie'])
  t.strictSame(await found('年の孤'), ['百年の孤独'])
})
