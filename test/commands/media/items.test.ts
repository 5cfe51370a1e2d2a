import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'slonik'
import t from 'tap'
import { testDatabase } from '../../support/database.ts'
import { startFakeTmdb, TMDB_KEY } from '../../support/fake-tmdb.ts'
import { addFilm, addSeries } from '../../support/metadata.ts'
import { siblingOfDataDirectory, runPhlix, temporaryDataDirectory } from '../../support/phlix.ts'
import { makeLibrary } from '../../support/records.ts'

const UNKNOWN = '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11'

const data = await temporaryDataDirectory(t)
const { environment, pool: db } = await testDatabase(t)
const fake = await startFakeTmdb(t, [
  { id: 1, kind: 'movie', title: 'Heat', date: '1995-12-15' },
  { id: 2, kind: 'movie', title: 'Heat', date: '1986-11-13', more: { overview: 'The other one.' } },
  { id: 3, kind: 'movie', title: 'Bell\u001B[2J\u0007\u009B', date: '1999-01-01' },
  { id: 7, kind: 'tv', title: 'Dark', date: '2017-12-01', seasons: { 1: [{ number: 1, name: 'Secrets' }] } },
])
const folder = siblingOfDataDirectory(data, 'media')
t.teardown(() => rm(folder, { recursive: true, force: true }))
await mkdir(folder)
await writeFile(join(folder, 'here'), '')
const library = Object.assign(await makeLibrary(db, folder), { folder })
const heat = await addFilm(db, library, { name: 'heat', year: 1995 })
const dark = await addSeries(db, library, { name: 'Dark', seasons: { 1: [1] } })

const KEY = { TMDB_API_KEY: TMDB_KEY }
const run = (words: string[], more: Record<string, string> = KEY) =>
  runPhlix([...words, '--data-dir', data], { environment: { ...environment, PHLIX_TMDB_URL: fake.baseUrl, ...more } })
const json = async (words: string[], more?: Record<string, string>) => {
  const { code, stdout } = await run([...words, '--json'], more)
  return { code, document: JSON.parse(stdout) as Record<string, unknown> }
}
type Listed = { items: { id: string; name: string }[]; total: number }
const list = async (...words: string[]) => {
  const { items } = (await json(['media:list', ...words])).document as unknown as Listed
  return items.map(({ name }) => name)
}

void t.test('media:list shows top-level items, or those of a type, a library, a series or a search', async (t) => {
  t.strictSame(await list(), ['Dark', 'heat'])
  t.strictSame(await list('--type', 'episode'), ['Episode 1'])
  t.strictSame(await list('--library', 'Films', '--search', 'hea'), ['heat'])
  t.strictSame(await list('--parent', dark), ['Season 1'])
  t.strictSame(await list('--limit', '1', '--offset', '1'), ['heat'])
  t.match((await run(['media:list', '--limit', '1'])).stderr, '1 more: --offset 1')
  t.equal(
    (await run(['media:list', '--plain', '--search', 'heat'])).stdout,
    `${heat}\tmovie\theat (1995)\t${folder}/heat.mkv\n`,
  )
  t.match(await run(['media:list', '--search', 'zzzzzzzz']), { code: 0, stdout: 'No items\n' })
  t.equal((await run(['media:list', '--library', 'Nothing'])).code, 66)
  t.equal((await run(['media:list', '--parent', 'x'])).code, 2)
})

void t.test('media:show prints all data of an item', async (t) => {
  t.match(await json(['media:show', heat]), {
    code: 0,
    document: { item: { id: heat, name: 'heat', year: 1995, files: [{ path: `${folder}/heat.mkv` }], streams: [] } },
  })
  t.match((await run(['media:show', heat])).stdout, /^id +\S+\ntitle +heat \(1995\) \(movie\)\n[^]*file +.*heat\.mkv/)
})

void t.test('media:list and media:show tell the files of an item with the ids by which they are played', async (t) => {
  const film = await addFilm(db, library, { name: 'Das Boot', year: 1981 })
  const part = await addFilm(db, library, { name: 'Das Boot cd2', year: 1981 })
  const version = await addFilm(db, library, { name: 'Das Boot 4K', year: 1981 })
  t.teardown(() => db.query(sql.unsafe`delete from media_items where id in (${film}, ${part}, ${version})`))
  await db.query(
    sql.unsafe`update media_items set role = 'part', primary_id = ${film}, role_order = 2 where id = ${part}`,
  )
  await db.query(sql.unsafe`
    update media_items set role = 'version', primary_id = ${film}, role_order = 1, role_label = '4K' where id = ${version}`)
  const { stdout } = await run(['media:list', '--search', 'das boot', '--versions', '--plain'])
  t.strictSame(
    stdout.split('\n').map((line) => line.split('\t').slice(0, 3)),
    [
      [film, 'movie', 'Das Boot (1981)'],
      [part, 'part', 'Das Boot (1981)'],
      [version, 'version', 'Das Boot (1981) [4K]'],
      [''],
    ],
  )
  const files = [
    { id: film, role: null },
    { id: part, role: 'part' },
    { id: version, role: 'version', label: '4K' },
  ]
  t.match((await json(['media:list', '--search', 'das boot', '--versions'])).document, { items: [{ id: film, files }] })
  t.match((await json(['media:show', film])).document, { item: { files } })
  t.match((await run(['media:show', film])).stdout, new RegExp(`part +.*${part}[^]*version +.*4K.*${version}`))
})

void t.test('media:match searches by name or by given text, and applies the chosen title', async (t) => {
  t.match(await json(['media:match', heat, '--search']), {
    code: 0,
    document: { item_id: heat, query: 'heat', type: 'movie', results: [{ tmdb_id: 1, title: 'Heat', year: 1995 }] },
  })
  const found = await run(['media:match', heat, 'dark', '--search', '--type', 'tv', '--plain'])
  t.equal(found.stdout, '7\ttv\t2017\tDark\tDark\n')
  t.match(await run(['media:match', heat, '--tmdb', '2']), { code: 0, stdout: 'Matched "Heat" with TMDB 2\n' })
  t.match(await json(['media:show', heat]), {
    document: { item: { name: 'Heat', metadata: { overview: 'The other one.' } } },
  })
  const rung = await run(['media:match', heat, '--tmdb', '3'])
  t.equal(rung.stdout, 'Matched "Bell??" with TMDB 3\n', 'what a provider says moves no cursor')
  const unknown = await run(['media:match', heat, 'zz\u001B[2J\u0007', '--search'])
  t.equal(unknown.stdout, 'TMDB finds nothing for "zz?"\n')
  t.equal((await run(['media:match', heat, '--tmdb', '2'])).code, 0)
  t.strictSame(await list('--unmatched'), ['Dark'])
  t.equal((await run(['media:match', heat, '--tmdb', '99'])).code, 2, 'TMDB has no such title')
})

void t.test('media:match needs a number or --search, and not both', async (t) => {
  for (const words of [[], ['words', '--tmdb', '1'], ['--tmdb', '1', '--search'], ['--tmdb', '0'], ['--tmdb', 'x']]) {
    t.match(await json(['media:match', heat, ...words]), { code: 2, document: { error: { code: 'usage' } } })
  }
})

void t.test('media:edit changes the shown values, a refresh keeps them, and --reset removes them', async (t) => {
  const edited = await json([
    'media:edit',
    heat,
    '--title',
    'Hitze',
    '--year',
    '1987',
    '--genre',
    'Crime',
    '--genre',
    'Noir',
  ])
  t.match(edited, {
    code: 0,
    document: { item: { name: 'Hitze', year: 1987, metadata: { genres: ['Crime', 'Noir'] } } },
  })
  t.match(await run(['media:refresh', heat]), { code: 0, stdout: 'Refreshed "Hitze"\n' })
  t.match(await json(['media:show', heat]), { document: { item: { name: 'Hitze', year: 1987 } } })
  const reset = await json(['media:edit', heat, '--reset', 'title', '--reset', 'year'])
  t.match(reset, { code: 0, document: { item: { name: 'Heat', year: 1986, metadata: { genres: ['Crime', 'Noir'] } } } })
  for (const words of [
    [],
    ['--year', '0'],
    ['--title', ' '],
    ['--title', 'x', '--reset', 'title'],
    ['--reset', 'path'],
  ]) {
    t.equal((await run(['media:edit', heat, ...words])).code, 2, words.join(' '))
  }
})

void t.test('media:refresh refreshes a whole series, whichever part is named', async (t) => {
  const { items } = (await json(['media:list', '--type', 'episode'])).document as unknown as Listed
  t.match(await json(['media:refresh', items[0]?.id ?? '']), {
    code: 0,
    document: { item_id: dark, name: 'Dark', refreshed: 3 },
  })
  t.strictSame(await list('--type', 'episode'), ['Secrets'])
  const asked = fake.requests.length
  t.equal((await run(['media:refresh', dark])).code, 0)
  t.ok(fake.requests.length > asked, 'cached replies are not used')
})

void t.test('an item without a match is not refreshed, and the hint says how it is matched', async (t) => {
  const obscure = await addFilm(db, library, { name: 'an unknown title', year: 1999 })
  t.match(await json(['media:refresh', obscure]), {
    code: 2,
    document: { error: { code: 'metadata.no_match', hint: `phlix media:match ${obscure} --search` } },
  })
})

void t.test('without a key every command that queries a provider names the command that sets it', async (t) => {
  for (const words of [
    ['media:match', heat, '--search'],
    ['media:match', heat, '--tmdb', '1'],
    ['media:refresh', heat],
  ]) {
    t.match(await json(words, {}), {
      code: 78,
      document: {
        error: { code: 'metadata.tmdb_unconfigured', hint: 'phlix config:set metadata.tmdb.api_key -' },
      },
    })
  }
})

void t.test('an item that does not exist exits 66', async (t) => {
  for (const id of [UNKNOWN, 'x']) {
    for (const words of [
      ['media:show', id],
      ['media:match', id, '--search'],
      ['media:match', id, '--tmdb', '1'],
      ['media:edit', id, '--title', 'x'],
      ['media:refresh', id],
    ]) {
      t.match(await json(words), { code: 66, document: { error: { code: 'media_item_not_found' } } }, words.join(' '))
    }
  }
})
