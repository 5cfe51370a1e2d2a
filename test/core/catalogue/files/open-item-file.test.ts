import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openItemFile } from '../../../../src/core/catalogue/index.ts'
import { createGetLibraryPaths } from '../../../../src/core/libraries/index.ts'
import { testDatabase } from '../../../support/database.ts'
import { makeLibrary } from '../../../support/records.ts'

const { pool: db } = await testDatabase(t)
const getLibraryPaths = createGetLibraryPaths({ db })

void t.test("an item's file is opened together with the library folder that contains it", async (t) => {
  const folder = t.testdir({ first: { 'a.mp4': 'abc' }, second: { 'b.mp4': 'defg' } })
  const library = await makeLibrary(db, [join(folder, 'first'), join(folder, 'second')])
  const path = join(folder, 'second', 'b.mp4')
  const { handle, root } = await openItemFile({ getLibraryPaths }, { path, libraryId: library.id })
  t.teardown(() => handle.close())
  t.equal(root, join(folder, 'second'))
  t.equal((await handle.readFile()).toString(), 'defg')
})

void t.test('an item without a file, outside of the library, or with a link to the outside is refused', async (t) => {
  const folder = t.testdir({ inside: {}, insider: { 'x.mp4': 'x' } })
  const root = join(folder, 'inside')
  const library = await makeLibrary(db, root)
  writeFileSync(join(folder, 'secret.mp4'), 'secret')
  symlinkSync(join(folder, 'secret.mp4'), join(root, 'link.mp4'))
  mkdirSync(join(root, 'folder.mp4'))
  const rows: [path: string | null, code: string][] = [
    [null, 'file_not_found'],
    [join(root, 'gone.mp4'), 'file_not_found'],
    [join(folder, 'insider', 'x.mp4'), 'path_outside_root'],
    [join(root, '..', 'secret.mp4'), 'path_outside_root'],
    [join(root, 'link.mp4'), 'path_outside_root'],
    [join(root, 'folder.mp4'), 'not_a_regular_file'],
  ]
  for (const [path, code] of rows) {
    await t.rejects(openItemFile({ getLibraryPaths }, { path, libraryId: library.id }), { code }, String(path))
  }
})
