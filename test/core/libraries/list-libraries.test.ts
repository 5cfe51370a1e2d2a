import { sql } from 'slonik'
import t from 'tap'
import { getLibrary, listLibraries, listLibraryRoots, storeRootIdentity } from '../../../src/core/libraries/index.ts'
import { testDatabase } from '../../support/database.ts'
import { makeLibrary } from '../../support/records.ts'

void t.test('libraries are listed by display order, then name', async (t) => {
  const { pool: db } = await testDatabase(t)
  const folder = t.testdir()
  const last = await makeLibrary(db, folder, 'a')
  await makeLibrary(db, folder, 'c')
  await makeLibrary(db, folder, 'b')
  await db.query(sql.unsafe`update libraries set display_order = 5 where id = ${last.id}`)
  t.strictSame(
    (await listLibraries({ db })).map(({ name }) => name),
    ['b', 'c', 'a'],
  )
})

void t.test('a library is found by its id; an invalid id causes no query', async (t) => {
  const { pool: db } = await testDatabase(t)
  const library = await makeLibrary(db, t.testdir())
  t.strictSame(await getLibrary({ db }, library.id), library)
  for (const id of ['x', '', "' or true --", '00000000-0000-4000-8000-000000000000', `${library.id}0`]) {
    await t.rejects(getLibrary({ db }, id), { code: 'library_not_found', title: 'Library not found' })
  }
})

void t.test('the 64-bit identity of a folder is stored exactly', async (t) => {
  const { pool: db } = await testDatabase(t)
  const folder = t.testdir()
  const library = await makeLibrary(db, folder)
  t.strictSame(await listLibraryRoots({ db }, library.id), [{ path: folder, identity: null }])
  const identity = { device: '18446744073709551615', inode: '9223372036854775809' }
  await storeRootIdentity({ db }, { libraryId: library.id, path: folder, identity })
  t.strictSame(await listLibraryRoots({ db }, library.id), [{ path: folder, identity }])
})
