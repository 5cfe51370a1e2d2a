import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'slonik'
import t from 'tap'
import { testDatabase } from '../../support/database.ts'
import { startFakeTmdb, TMDB_KEY } from '../../support/fake-tmdb.ts'
import { addFilm } from '../../support/metadata.ts'
import { siblingOfDataDirectory, runPhlix, temporaryDataDirectory } from '../../support/phlix.ts'
import { makeLibrary } from '../../support/records.ts'

const data = await temporaryDataDirectory(t)
const { environment, pool: db } = await testDatabase(t)
const fake = await startFakeTmdb(t, [{ id: 1, kind: 'movie', title: 'Heat', date: '1995-12-15' }])
const folder = siblingOfDataDirectory(data, 'media')
t.teardown(() => rm(folder, { recursive: true, force: true }))
await mkdir(folder)
await writeFile(join(folder, 'here'), '')
const library = Object.assign(await makeLibrary(db, folder), { folder })
await addFilm(db, library, { name: 'heat', year: 1995 })
await addFilm(db, library, { name: 'an unknown title', year: 1999 })

const run = (words: string[], more: Record<string, string> = {}) =>
  runPhlix([...words, '--data-dir', data], { environment: { ...environment, PHLIX_TMDB_URL: fake.baseUrl, ...more } })
const json = async (words: string[], more: Record<string, string> = { TMDB_API_KEY: TMDB_KEY }) => {
  const { code, stdout } = await run([...words, '--json'], more)
  return { code, document: JSON.parse(stdout) as Record<string, unknown> }
}

void t.test('without a key library:match says so and exits 3', async (t) => {
  const { code, document } = await json(['library:match', 'Films'], {})
  t.match(
    { code, document },
    {
      code: 3,
      document: { status: 'completed', processed: 0, remark: 'no metadata provider is configured' },
    },
  )
})

void t.test('library:match queries unmatched items, and names the ambiguous ones', async (t) => {
  t.match(await json(['library:match', 'Films', '--dry-run']), { code: 0, document: { dry_run: true, found: 2 } })
  t.strictSame(fake.requests, [], 'a dry run queries no provider')
  t.match(await json(['library:match', 'Films']), {
    code: 3,
    document: {
      type: 'metadata',
      status: 'completed',
      found: 2,
      processed: 2,
      unmatched_count: 1,
      unmatched: [{ path: join(folder, 'an unknown title.mkv'), code: 'metadata.no_match' }],
      remark: null,
    },
  })
  t.match(await json(['library:match', 'Films', '--dry-run']), { document: { found: 1 } })
  t.equal((await run(['library:match', 'Nothing'])).code, 66)
  await db.query(sql.unsafe`delete from media_items where name = 'an unknown title'`)
})

void t.test('library:refresh-metadata queries all items again', async (t) => {
  const { code, stdout } = await run(['library:refresh-metadata', 'Films'], { TMDB_API_KEY: TMDB_KEY })
  t.match({ code, stdout }, { code: 0, stdout: 'Matched "Films": 1 of 1 item\n' })
})

void t.test('an unreachable provider makes it exit 1', async (t) => {
  fake.overrideResponse = () => ({ status: 401 })
  const { code, document } = await json(['library:refresh-metadata', 'Films'])
  t.match(
    { code, document },
    { code: 1, document: { error: { code: 'scan_failed', message: /TMDB refuses the key/ } } },
  )
  fake.overrideResponse = undefined
})

void t.test('library:clear-metadata needs --yes without a terminal', async (t) => {
  t.equal((await run(['library:clear-metadata', 'Films'])).code, 2)
  t.match(await json(['library:clear-metadata', 'Films', '--dry-run']), { code: 0, document: { found: 1 } })
  t.equal(await db.oneFirst(sql.unsafe`select name from media_items`), 'Heat')
  t.match(await json(['library:clear-metadata', 'Films', '--yes']), {
    code: 0,
    document: { type: 'clear_metadata', status: 'completed', found: 1, processed: 1 },
  })
  t.equal(await db.oneFirst(sql.unsafe`select name from media_items`), 'heat')
})
