import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createDiskThreads, statSubfolders } from '../../../../src/core/platform/files/index.ts'
import { listSubfolders } from '../../../../src/core/platform/files/list-subfolders.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import { mountThatHangs } from '../../../support/hanging-mount.ts'
import { asUnprivilegedUser } from '../../../support/unprivileged-user.ts'

const LIMITS = { hidden: [], maxEntries: 100, maxFolders: 100 }

void t.test('the listing of a very large folder is truncated and marked as such', (t) => {
  const path = reachableDirectory(t)
  for (let index = 0; index < 60; index += 1) mkdirSync(join(path, `folder ${index}`))
  for (let index = 0; index < 40; index += 1) writeFileSync(join(path, `file ${index}`), '')
  const look = (maxEntries: number, maxFolders: number) => {
    const { folders, isTruncated } = listSubfolders({ path, hidden: [], maxEntries, maxFolders })
    return [folders.length, isTruncated]
  }
  t.strictSame(look(100, 60), [60, false])
  t.strictSame(look(100, 59), [59, true])
  t.strictSame(look(99, 100)[1], true)
  t.strictSame(look(0, 100), [0, true])
  t.end()
})

void t.test('a folder that the process may not list is omitted', async (t) => {
  const path = reachableDirectory(t)
  mkdirSync(join(path, 'closed'), { mode: 0o700 })
  mkdirSync(join(path, 'open'))
  chmodSync(join(path, 'open'), 0o755)
  if (process.geteuid?.() !== 0) chmodSync(join(path, 'closed'), 0)
  await asUnprivilegedUser(async () => {
    const names = listSubfolders({ path, ...LIMITS }).folders.map(({ name }) => name)
    t.strictSame(names, ['open'])
    t.throws(() => listSubfolders({ path: join(path, 'closed'), ...LIMITS }), { code: 'EACCES' })
  })
  chmodSync(join(path, 'closed'), 0o700)
})

void t.test('a mount that never answers ends only the wait', async (t) => {
  const path = mountThatHangs(t)
  if (path === undefined) {
    t.comment('this account may not mount')
    return
  }
  await t.rejects(statSubfolders({ diskThreads: createDiskThreads() }, { path, ...LIMITS }, 100), {
    code: 'folder_unavailable',
  })
  const { folders } = listSubfolders({ path: reachableDirectory(t), ...LIMITS })
  t.strictSame(folders, [])
})
