import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import type { MediaItem } from '../../src/core/catalogue/index.ts'
import { testDatabase } from '../support/database.ts'
import { putSample, scannedLibrary } from '../support/scanning.ts'
import { createUserData } from '../support/user-data.ts'

const database = await testDatabase(t)

/** The number of files that may disappear at once before an administrator has to confirm it. */

async function libraryOf(t: Test, films: readonly string[]) {
  const library = await scannedLibrary(t, { database })
  for (const film of films) await putSample(library.folder, film)
  await library.scan()
  const before = await library.items()
  const remove = (paths: readonly string[]): void => {
    for (const path of paths) rmSync(join(library.folder, path))
  }
  return { ...library, before, remove }
}

const numbered = (folder: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${folder}/Film ${index} (2001).mp4`)

const pathsOf = (items: ReadonlyMap<string, MediaItem>): string[] => [...items.keys()].toSorted()

void t.test('60 % missing files are too many: the job reports the number; force removes them (F-13)', async (t) => {
  const films = [...numbered('a', 50), ...numbered('b', 50)]
  const { before, remove, scan, items, services } = await libraryOf(t, films)
  const gone = films.filter((_, index) => index % 10 < 6)
  const traces = await createUserData(services, before.get(gone[0] ?? '') ?? { id: '' })
  remove(gone)
  const error = '60 of 100 items are missing at once: nothing was removed (a rescan with --force removes them)'
  for (const round of ['at first', 'and again']) {
    t.match(await scan('rescan'), { status: 'failed', error, itemsRemoved: 0 }, round)
    t.strictSame(pathsOf(await items()), films.toSorted(), round)
  }
  t.match(await traces(), { isFavourite: true, rating: 9 }, 'user data of a missing film are kept')
  t.match(await scan('rescan', { force: true }), { status: 'completed', error: null, itemsRemoved: 60 })
  t.strictSame(pathsOf(await items()), films.filter((film) => !gone.includes(film)).toSorted())
  t.match(await scan('rescan'), { status: 'completed', itemsAdded: 0, itemsRemoved: 0 })
})

void t.test('60 % of the files removed and restored are the same items, with their user data (F-13)', async (t) => {
  const films = [...numbered('a', 60), ...numbered('b', 40)]
  const { before, folder, remove, scan, items, services } = await libraryOf(t, films)
  const [first = ''] = films
  const traces = await createUserData(services, before.get(first) ?? { id: '' })
  const said = await traces()
  remove(films.slice(0, 60))
  t.match(await scan('rescan'), { status: 'failed', itemsRemoved: 0 })
  for (const film of films.slice(0, 60)) await putSample(folder, film)
  t.match(await scan('rescan'), { status: 'completed', itemsAdded: 0, itemsRemoved: 0 })
  const idsOf = (found: ReadonlyMap<string, MediaItem>) =>
    [...found].map(([path, item]) => [path, item.id, item.missingSince])
  t.strictSame(idsOf(await items()), idsOf(before))
  t.strictSame(await traces(), said)
})

void t.test('an emptied sub-folder of many films is refused, and one of few is accepted (F-13)', async (t) => {
  const films = [...numbered('many', 55), ...numbered('few', 5), ...numbered('kept', 5)]
  const { folder, scan, items } = await libraryOf(t, films)
  const empty = (name: string): void => {
    rmSync(join(folder, name), { recursive: true })
    mkdirSync(join(folder, name))
  }
  empty('few')
  t.match(await scan('rescan'), { status: 'completed', itemsRemoved: 5 })
  empty('many')
  t.match(await scan('rescan'), { status: 'failed', error: /^55 of 60 items are missing at once/, itemsRemoved: 0 })
  t.equal((await items()).size, 60)
  t.match(await scan('rescan', { force: true }), { status: 'completed', itemsRemoved: 55 })
  t.strictSame([...new Set([...(await items()).keys()].map(dirname))], ['kept'])
})

void t.test('one deleted file is removed by the next rescan, and only that one (F-13)', async (t) => {
  const films = numbered('a', 5)
  const { before, remove, scan, items } = await libraryOf(t, films)
  remove(films.slice(2, 3))
  t.match(await scan('scan'), { status: 'completed', itemsRemoved: 0 }, 'a scan removes nothing')
  t.match(await scan('rescan'), { status: 'completed', error: null, itemsRemoved: 1, itemsAdded: 0 })
  before.delete(films[2] ?? '')
  t.strictSame(await items(), before)
})
