import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import {
  createLibrary,
  getLibrary,
  listLibraries,
  listLibraryRoots,
  storeRootIdentity,
  updateLibrary,
  type LibraryChanges,
  type NewLibrary,
} from '../../../src/core/libraries/index.ts'
import { testDatabase } from '../../support/database.ts'
import { sharedDiskThreads } from '../../support/disk-threads.ts'
import { movableClock } from '../../support/records.ts'

async function setup(t: Test, input: Partial<NewLibrary> = {}) {
  const { pool: db } = await testDatabase(t)
  const clock = movableClock()
  const folder = t.testdir({ films: {}, more: {}, third: {}, state: {} })
  const [films, more, third] = ['films', 'more', 'third'].map((name) => join(folder, name)) as [string, string, string]
  const config = { dataDirectory: join(folder, 'state') }
  const services = { db, clock, config, diskThreads: sharedDiskThreads() }
  const library = await createLibrary(services, { name: 'Films', type: 'movie', paths: [films, more], ...input })
  const update = (changes: LibraryChanges) => updateLibrary(services, { libraryId: library.id, ...changes })
  return { db, clock, services, library, update, films, more, third, folder }
}

void t.test('absent fields are unchanged; present fields change, and so does the time', async (t) => {
  const { clock, library, update } = await setup(t, { options: { a: 1, b: 2 } })
  clock.advance(60)
  const { library: changed, arePathsChanged } = await update({ name: '  Cinema ', displayOrder: -3 })
  t.strictSame(changed, { ...library, name: 'Cinema', displayOrder: -3, updatedAt: clock.now() })
  t.equal(arePathsChanged, false)
  const merged = await update({ options: { b: 3, c: { d: null } } })
  t.strictSame(merged.library.options, { a: 1, b: 3, c: { d: null } })
  const nothing = await update({ name: null, type: null, path: null, paths: null, displayOrder: null, options: null })
  t.strictSame(nothing.library, merged.library, 'null is nothing said')
})

void t.test('autoCollections is merged into the options in each of its forms', async (t) => {
  const { update } = await setup(t, { options: { a: 1 } })
  for (const [changes, enabled] of [
    [{ autoCollections: false }, false],
    [{ autoCollections: { enabled: true } }, true],
    [{ options: { autoCollections: false } }, false],
    [{ name: 'Other' }, false],
    [{ options: { autoCollections: { enabled: false } }, autoCollections: true }, true],
  ] as const) {
    const { library } = await update(changes)
    t.strictSame(library.autoCollections, { enabled }, JSON.stringify(changes))
    t.strictSame(library.options, { a: 1, autoCollections: { enabled } })
  }
})

void t.test('options in separate fields are stored with the others; null removes one', async (t) => {
  const { update } = await setup(t, { type: 'series' })
  const priority = { series: ['nfo', 'tvdb'], movie: [] }
  const set = await update({ seriesPerDirectory: true, metadataPriority: priority, imageTypes: ['poster'] })
  t.strictSame(set.library.options, {
    series_per_directory: true,
    metadata_priority: priority,
    image_types: ['poster'],
  })
  const map = await update({ metadataPriority: null, options: { image_types: { poster: true, logo: false } } })
  t.strictSame(map.library.options, { series_per_directory: true, image_types: { poster: true, logo: false } })
})

void t.test('malformed input is refused and changes nothing', async (t) => {
  const { db, library, update, folder, films } = await setup(t)
  const deep: Record<string, unknown> = {}
  let inner = deep
  for (let depth = 0; depth < 20_000; depth += 1) inner = inner['x'] = {} as Record<string, unknown>
  const many = Array.from({ length: 101 }, (_, index) => `source-${index}`)
  const cases: [claim: string, changes: LibraryChanges, code: string][] = [
    ['an empty name', { name: ' ' }, 'missing_fields'],
    ['a number as name', { name: 7 }, 'missing_fields'],
    ['a long name', { name: 'x'.repeat(256) }, 'invalid_options'],
    ['a name with NUL', { name: 'a\0b' }, 'invalid_options'],
    ['half a character', { name: '\uD800' }, 'invalid_options'],
    ['another type', { type: 'series' }, 'invalid_type'],
    ['a list as options', { options: [1] }, 'invalid_options'],
    ['a text as options', { options: 'x' }, 'invalid_options'],
    ['options with NUL', { options: { 'a\0': 1 } }, 'invalid_options'],
    ['options without end', { options: deep }, 'invalid_options'],
    ['autoCollections as text', { autoCollections: 'yes' }, 'invalid_options'],
    ['series_per_directory as text', { seriesPerDirectory: 'yes' }, 'invalid_options'],
    ['series_per_directory of films', { seriesPerDirectory: true }, 'invalid_options'],
    ['metadata_priority as list', { metadataPriority: ['tmdb'] }, 'invalid_options'],
    ['metadata_priority of numbers', { metadataPriority: { movie: [1] } }, 'invalid_options'],
    ['metadata_priority too long', { metadataPriority: { movie: many } }, 'invalid_options'],
    ['metadata_priority inside the options', { options: { metadata_priority: 'tmdb' } }, 'invalid_options'],
    ['image_types as text', { imageTypes: 'poster' }, 'invalid_options'],
    ['image_types with an empty name', { imageTypes: [''] }, 'invalid_options'],
    ['half a number as order', { displayOrder: 1.5 }, 'invalid_options'],
    ['a text as order', { displayOrder: '1' }, 'invalid_options'],
    ['an order that no column holds', { displayOrder: 2 ** 31 }, 'invalid_options'],
    ['no folder', { paths: [] }, 'missing_fields'],
    ['an empty folder', { paths: [films, ''] }, 'invalid_path'],
    ['a number as folder', { paths: [7] }, 'invalid_path'],
    ['a text as folders', { paths: 'relative' }, 'invalid_path'],
    ['a missing folder', { paths: [films, join(folder, 'missing')] }, 'invalid_path'],
    ['the data directory', { path: join(folder, 'state') }, 'invalid_path'],
    ['the root', { path: '/' }, 'invalid_path'],
    ['a folder inside another', { paths: [folder, films] }, 'invalid_path'],
  ]
  for (const [claim, changes, code] of cases) await t.rejects(update(changes), { code }, claim)
  t.strictSame(await getLibrary({ db }, library.id), library)
})

void t.test('paths replaces all folders, path only the first one', async (t) => {
  const { update, films, more, third } = await setup(t)
  t.match(await update({ path: films }), { arePathsChanged: false, library: { paths: [films, more] } })
  t.match(await update({ paths: [more, films] }), { arePathsChanged: false, library: { paths: [more, films] } })
  t.match(await update({ path: third }), { arePathsChanged: true, library: { paths: [third, films] } })
  t.match(await update({ path: films }), { arePathsChanged: true, library: { paths: [films] } }, 'named twice')
  t.match(
    await update({ path: films, paths: [third] }),
    { library: { paths: [third] } },
    'an echoed path is not a change',
  )
  t.match(await update({ paths: [third, `${third}/`, films] }), { library: { paths: [third, films] } })
})

void t.test('a remaining folder keeps its identity and need not exist now', async (t) => {
  const { db, library, update, films, more, third } = await setup(t)
  const identity = { device: '18446744073709551615', inode: '2' }
  await storeRootIdentity({ db }, { libraryId: library.id, path: more, identity })
  rmSync(more, { recursive: true })
  t.match(await update({ name: 'Renamed', paths: [films, more] }), { arePathsChanged: false })
  await update({ paths: [third, more] })
  t.strictSame(await listLibraryRoots({ db }, library.id), [
    { path: third, identity: null },
    { path: more, identity },
  ])
  await t.rejects(update({ paths: [third, films, join(films, 'new')] }), { code: 'invalid_path' })
  mkdirSync(more)
})

void t.test('concurrent changes are not lost', async (t) => {
  const { update, library, services } = await setup(t)
  const keys = Array.from({ length: 20 }, (_, index) => `key${index}`)
  await Promise.all(keys.map((key) => update({ options: { [key]: true } })))
  const { options } = await getLibrary(services, library.id)
  t.strictSame(Object.keys(options).toSorted(), keys.toSorted())
})

void t.test('libraries are sorted by display order, then by name', async (t) => {
  const { services, update, third } = await setup(t)
  await createLibrary(services, { name: 'Archive', type: 'video', path: third })
  await update({ displayOrder: -1 })
  t.strictSame(
    (await listLibraries(services)).map(({ name }) => name),
    ['Films', 'Archive'],
  )
})

void t.test('an unknown library is reported before other problems', async (t) => {
  const { services } = await setup(t)
  for (const libraryId of ['0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11', 'x', '']) {
    await t.rejects(updateLibrary(services, { libraryId, name: '' }), { code: 'library_not_found' })
  }
})

void t.test('a folder of another library cannot be added; existing folders remain', async (t) => {
  const { services, update, films, more, third } = await setup(t)
  await createLibrary(services, { name: 'Archive', type: 'video', path: third })
  await t.rejects(update({ paths: [films, more, third] }), {
    code: 'folder_taken',
    message: `${third} is a folder of the library "Archive" already`,
  })
  t.strictSame((await update({ paths: [more, films] })).library.paths, [more, films])
})
