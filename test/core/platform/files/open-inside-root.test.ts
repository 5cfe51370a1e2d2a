import { execFileSync } from 'node:child_process'
import { chmodSync, linkSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { openInsideRoot } from '../../../../src/core/platform/files/index.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import { asUnprivilegedUser } from '../../../support/unprivileged-user.ts'
import { readInside, readsWhileSwapping } from './swapped-file.ts'

/** A library with a film, and a secret file outside of it. */
function library(t: Test): { root: string; outside: string } {
  const folder = t.testdir({ library: { film: { 'a.mp4': 'film' } }, library2: { 'b.mp4': 'other' }, secret: 'secret' })
  return { root: join(folder, 'library'), outside: folder }
}

void t.test('a file inside the root is opened', async (t) => {
  const { root } = library(t)
  t.equal(await readInside(root, join(root, 'film/a.mp4')), 'film')
  t.equal(await readInside(`${root}/`, join(root, 'film/a.mp4')), 'film', 'the root may end in a slash')
  t.equal(await readInside(root, `${root}/film/../film/./a.mp4`), 'film', 'dots that stay inside')
})

void t.test('links within the root are followed, also a hard link and a root that is a link (FN-04)', async (t) => {
  const { root, outside } = library(t)
  symlinkSync('film/a.mp4', join(root, 'link.mp4'))
  symlinkSync(join(root, 'film'), join(root, 'folder-link'))
  symlinkSync(root, join(outside, 'root-link'))
  linkSync(join(root, 'film/a.mp4'), join(root, 'hard.mp4'))
  for (const name of ['link.mp4', 'folder-link/a.mp4', 'hard.mp4']) {
    t.equal(await readInside(root, join(root, name)), 'film', name)
  }
  t.equal(await readInside(join(outside, 'root-link'), join(outside, 'root-link/film/a.mp4')), 'film')
})

void t.test('files outside of the root are refused (FN-04)', async (t) => {
  const { root, outside } = library(t)
  symlinkSync('/etc/passwd', join(root, 'passwd.mp4'))
  symlinkSync('../secret', join(root, 'secret.mp4'))
  symlinkSync(outside, join(root, 'up'))
  const paths = [
    '/etc/passwd',
    join(outside, 'secret'),
    `${root}/../secret`,
    join(outside, 'library2/b.mp4'),
    join(root, 'passwd.mp4'),
    join(root, 'secret.mp4'),
    join(root, 'up/secret'),
    'film/a.mp4',
    '',
    outside,
  ]
  for (const path of paths) await t.rejects(openInsideRoot(root, path), { code: 'path_outside_root' }, path)
})

void t.test('a missing file is not found', async (t) => {
  const { root } = library(t)
  symlinkSync('nothing', join(root, 'dangling.mp4'))
  symlinkSync('loop.mp4', join(root, 'loop.mp4'))
  const names = ['gone.mp4', 'dangling.mp4', 'loop.mp4', 'film/a.mp4/below', 'x'.repeat(300), 'nul\0.mp4']
  for (const name of names) {
    await t.rejects(openInsideRoot(root, join(root, name)), { code: 'file_not_found' }, name.slice(0, 20))
  }
  await t.rejects(openInsideRoot('/no/such/root', '/no/such/root/x'), { code: 'file_not_found' }, 'missing root')
})

void t.test('pipes, sockets, devices and folders are refused at once (FN-04)', async (t) => {
  // The length of a socket path is limited.
  const root = reachableDirectory(t)
  execFileSync('mkfifo', [join(root, 'pipe.mp4')])
  mkdirSync(join(root, 'folder.mp4'))
  const server = createServer()
  await new Promise<void>((resolve) => {
    server.listen(join(root, 'socket.mp4'), resolve)
  })
  t.teardown(() => server.close())
  for (const name of ['pipe.mp4', 'socket.mp4', 'folder.mp4']) {
    await t.rejects(openInsideRoot(root, join(root, name)), { code: 'not_a_regular_file' }, name)
  }
  await t.rejects(openInsideRoot('/dev', '/dev/zero'), { code: 'not_a_regular_file' }, 'a device')
})

void t.test('a file that may not be read is unreadable, not missing', async (t) => {
  const root = reachableDirectory(t)
  writeFileSync(join(root, 'film.mp4'), 'film')
  chmodSync(join(root, 'film.mp4'), 0)
  await t.rejects(
    asUnprivilegedUser(() => openInsideRoot(root, join(root, 'film.mp4'))),
    { code: 'file_unreadable' },
  )
})

void t.test('a file that is swapped for a link while it is opened never gives bytes from outside (FN-06)', (t) =>
  readsWhileSwapping(t, { readings: 400 }),
)

void t.test('no refusal leaks a descriptor', async (t) => {
  const { root } = library(t)
  symlinkSync('/etc/passwd', join(root, 'passwd.mp4'))
  const before = readdirSync('/proc/self/fd').length
  for (let round = 0; round < 200; round += 1) {
    await openInsideRoot(root, join(root, 'passwd.mp4')).catch(() => undefined)
    await openInsideRoot(root, join(root, 'film')).catch(() => undefined)
  }
  t.equal(readdirSync('/proc/self/fd').length, before)
})
