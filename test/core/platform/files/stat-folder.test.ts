import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import {
  createDiskThreads,
  statFolder,
  statSubfolders,
  resolveTarget,
} from '../../../../src/core/platform/files/index.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import { waitUntil } from '../../../support/wait-until.ts'

const diskThreads = createDiskThreads()
const services = { diskThreads }
const LIMITS = { hidden: [], maxEntries: 10, maxFolders: 10 }

void t.test('the target of a link is resolved, and a missing path is returned unchanged', async (t) => {
  const folder = reachableDirectory(t)
  mkdirSync(join(folder, 'films'))
  symlinkSync('films', join(folder, 'link'))
  symlinkSync('circle', join(folder, 'circle'))
  t.equal(await resolveTarget(services, join(folder, 'link')), join(folder, 'films'))
  for (const name of ['circle', 'absent', 'x'.repeat(300), 'x\0']) {
    t.equal(await resolveTarget(services, join(folder, name)), join(folder, name))
  }
})

void t.test('while three threads hang, users get no further one, but scans do', async (t) => {
  const path = reachableDirectory(t)
  symlinkSync('.', join(path, 'link'))
  for (const count of [1, 2, 3]) {
    diskThreads.acquire('stat').discard()
    t.equal(diskThreads.countHanging('stat'), count)
  }
  // Started in the same turn of the event loop: the end of none of the three has been observed yet.
  const looks = [
    statSubfolders(services, { path, ...LIMITS }),
    resolveTarget(services, join(path, 'link')),
    statFolder(services, path),
  ] as const
  await t.rejects(looks[0], { code: 'folder_unavailable', message: /3 disks or network mounts .* do not answer/ })
  t.equal(await looks[1], join(path, 'link'))
  t.match(await looks[2], { isEmpty: false })
  await waitUntil('the threads have ended', () => diskThreads.countHanging('stat') === 0)
  t.match(await statSubfolders(services, { path, ...LIMITS }), { isTruncated: false })
})
