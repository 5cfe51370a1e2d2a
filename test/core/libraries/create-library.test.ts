import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createLibrary, type NewLibrary } from '../../../src/core/libraries/index.ts'
import { asUnprivilegedUser } from '../../support/unprivileged-user.ts'
import { testDatabase } from '../../support/database.ts'
import { sharedDiskThreads } from '../../support/disk-threads.ts'
import { movableClock } from '../../support/records.ts'

const clock = movableClock()

async function setup(t: Test) {
  const { pool: db } = await testDatabase(t)
  const folder = t.testdir({ films: {}, more: { deep: {} }, state: { cache: {} }, 'a-file': 'text' })
  const config = { dataDirectory: join(folder, 'state') }
  const create = (input: NewLibrary) => createLibrary({ db, config, clock, diskThreads: sharedDiskThreads() }, input)
  let count = 0
  const ownFolder = (): string => {
    const path = join(folder, `own-${(count += 1)}`)
    mkdirSync(path)
    return path
  }
  return { create, folder, films: join(folder, 'films'), ownFolder }
}

void t.test('a library has the documented fields', async (t) => {
  const { create, films } = await setup(t)
  t.match(await create({ name: ' Films ', type: 'movie', path: `${films}/` }), {
    id: /^[0-9a-f-]{36}$/,
    name: 'Films',
    type: 'movie',
    paths: [films],
    options: {},
    displayOrder: 0,
    itemCount: 0,
    autoCollections: { enabled: true },
    createdAt: clock.now(),
  })
})

void t.test('path and paths are both accepted, in this order, without duplicates', async (t) => {
  const { create, folder, films } = await setup(t)
  const more = join(folder, 'more')
  t.strictSame(
    (await create({ name: 'a', type: 'movie', path: films, paths: [more, films, `${films}/../films`] })).paths,
    [films, more],
  )
})

void t.test('missing fields are reported', async (t) => {
  const { create, films } = await setup(t)
  const cases: [NewLibrary, string[]][] = [
    [{}, ['name', 'type', 'path']],
    [{ name: '  ', type: 'movie', path: films }, ['name']],
    [{ name: 'a', type: 7, path: films }, ['type']],
    [{ name: 'a', type: 'movie', paths: [] }, ['path']],
    [{ name: 'a', type: 'movie', paths: [7, ''] }, ['path']],
  ]
  for (const [input, fields] of cases) await t.rejects(create(input), { code: 'missing_fields', details: { fields } })
})

void t.test('the error for an unknown type lists the known ones', async (t) => {
  const { create, films } = await setup(t)
  await t.rejects(create({ name: 'a', type: 'film', path: films }), {
    code: 'invalid_type',
    details: { valid_types: ['movie', 'series', 'music', 'photo', 'book', 'audiobook', 'video'] },
  })
})

void t.test('folders that must not be a library are refused (FN-05)', async (t) => {
  const { create, folder, films } = await setup(t)
  symlinkSync('/proc', join(folder, 'link-to-proc'))
  symlinkSync(join(folder, 'state'), join(folder, 'link-to-state'))
  writeFileSync(join(films, 'x'), '')
  const cases: [claim: string, path: string, message: RegExp][] = [
    ['the root', '/', /root of the file system/],
    ['the root in another spelling', '/tmp/..', /root of the file system/],
    ['/proc', '/proc', /\/proc cannot/],
    ['below /proc', '/proc/self/cwd', /\/proc cannot/],
    ['/sys', '/sys/', /\/sys cannot/],
    ['/dev', '/dev/shm', /\/dev cannot/],
    ['/dev by way of ..', `${films}/../../../../../../../../../../../../dev`, /\/dev cannot/],
    ['a link to /proc', join(folder, 'link-to-proc'), /\/proc cannot/],
    ['the data directory', join(folder, 'state'), /data directory/],
    ['below the data directory', join(folder, 'state/cache'), /data directory/],
    ['above the data directory', folder, /data directory/],
    ['a link to the data directory', join(folder, 'link-to-state'), /data directory/],
    ['a relative path', 'films', /absolute/],
    ['an absent one', join(folder, 'absent'), /does not exist/],
    ['a file', join(folder, 'a-file'), /not a directory/],
    ['below a file', join(folder, 'a-file/x'), /cannot be read/],
    ['an over-long path', `/${'a/'.repeat(2500)}`, /longer than 4095 bytes/],
    ['an over-long name', join(folder, 'a'.repeat(300)), /cannot be read/],
    ['U+0000', `${films}\0`, /characters that are not allowed in paths/],
    ['half a surrogate pair', `${films}\uD800`, /characters that are not allowed in paths/],
  ]
  for (const [claim, path, message] of cases) {
    await t.rejects(
      create({ name: 'a', type: 'movie', path }),
      { code: 'invalid_path', message, details: { path } },
      claim,
    )
  }
})

void t.test('a folder that cannot be listed is refused (FN-05)', async (t) => {
  const { create, films } = await setup(t)
  chmodSync(films, 0)
  await t.rejects(
    asUnprivilegedUser(() => create({ name: 'a', type: 'movie', path: films })),
    {
      code: 'invalid_path',
      message: /cannot be read/,
    },
  )
  chmodSync(films, 0o755)
})

void t.test('folders of one library do not overlap', async (t) => {
  const { create, folder } = await setup(t)
  const paths = [join(folder, 'more/deep'), join(folder, 'more')]
  await t.rejects(create({ name: 'a', type: 'movie', paths }), { code: 'invalid_path', message: /overlaps/ })
  mkdirSync(join(folder, 'more and more'))
  t.ok(await create({ name: 'a', type: 'movie', paths: [join(folder, 'more'), join(folder, 'more and more')] }))
})

void t.test('autoCollections is accepted in four forms and stored in one', async (t) => {
  const { create, ownFolder } = await setup(t)
  const base = { name: 'a', type: 'movie' }
  const forms: NewLibrary[] = [
    { ...base, autoCollections: false },
    { ...base, autoCollections: { enabled: false } },
    { ...base, options: { autoCollections: false, other: 1 } },
    { ...base, options: { autoCollections: { enabled: false } } },
    { ...base, autoCollections: false, options: { autoCollections: true } },
  ]
  for (const form of forms) {
    const library = await create({ ...form, path: ownFolder() })
    t.strictSame(library.autoCollections, { enabled: false })
    t.match(library.options, { autoCollections: { enabled: false } })
  }
  t.match((await create({ ...base, path: ownFolder(), options: { other: 1 } })).options, { other: 1 })
  t.match((await create({ ...base, path: ownFolder(), options: { time_zone: 'Asia/Tokyo' } })).options, {
    time_zone: 'Asia/Tokyo',
  })
})

void t.test('options of an invalid form or that cannot be stored are refused', async (t) => {
  const { create, films } = await setup(t)
  let deep: unknown = {}
  for (let depth = 0; depth < 20_000; depth += 1) deep = { deep }
  const bad: NewLibrary[] = [
    { options: [] },
    { options: 'x' },
    { options: null, autoCollections: 'yes' },
    { autoCollections: { enabled: 1 } },
    { options: { text: 'a\0b' } },
    { options: { time_zone: 'Mars/Olympus' } },
    { options: { time_zone: 2 } },
    { options: { ['\uD800']: 1 } },
    { options: { deep } },
    { name: 'a\0b' },
    { name: 'x'.repeat(256) },
  ]
  for (const input of bad) {
    await t.rejects(create({ name: 'a', type: 'movie', path: films, ...input }), { code: 'invalid_options' })
  }
})

void t.test(
  'a folder of which another library reads the same files is refused, and the other library is named',
  async (t) => {
    const { create, folder, films } = await setup(t)
    const first = await create({ name: 'Films', type: 'movie', path: films })
    const taken = { code: 'folder_taken', message: `${films} is a folder of the library "Films" already` }
    for (const type of ['movie', 'series', 'video']) {
      await t.rejects(create({ name: 'Again', type, path: films }), taken, type)
    }
    await t.rejects(create({ name: 'Again', type: 'movie', paths: [join(folder, 'more'), `${films}/../films/`] }), {
      ...taken,
      details: { path: films, library_id: first.id, library_name: 'Films' },
    })
    const link = join(folder, 'link')
    symlinkSync(films, link)
    await t.rejects(create({ name: 'Again', type: 'movie', path: link }), { code: 'folder_taken' }, 'by another name')
  },
)

void t.test('a folder that another library has through a link is refused too, under each of its paths', async (t) => {
  const { create, folder, films } = await setup(t)
  const [link, second] = [join(folder, 'link'), join(folder, 'second')]
  symlinkSync(films, link)
  symlinkSync(link, second)
  const first = await create({ name: 'Films', type: 'movie', path: link })
  for (const path of [films, second]) {
    await t.rejects(create({ name: 'Again', type: 'series', path }), {
      code: 'folder_taken',
      details: { path, library_id: first.id },
    })
  }
  rmSync(link)
  t.ok(await create({ name: 'Others', type: 'movie', path: films }), 'a link that leads nowhere takes nothing')
})

void t.test('libraries that read different files may share a folder, and one may be inside another', async (t) => {
  const { create, films, folder } = await setup(t)
  await create({ name: 'Books', type: 'book', path: films })
  t.strictSame((await create({ name: 'Audiobooks', type: 'audiobook', path: films })).paths, [films])
  await create({ name: 'Films', type: 'movie', path: join(folder, 'more') })
  await create({ name: 'Deep', type: 'movie', path: join(folder, 'more', 'deep') })
})

void t.test('one of two libraries that are concurrently created for one folder is refused', async (t) => {
  const { create, films } = await setup(t)
  const made = await Promise.allSettled(
    ['a', 'b', 'c', 'd'].map((name) => create({ name, type: 'movie', path: films })),
  )
  t.strictSame(made.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected', 'rejected', 'rejected'])
})
