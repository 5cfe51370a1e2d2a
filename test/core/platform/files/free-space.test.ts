import { statfs } from 'node:fs/promises'
import t from 'tap'
import { freeSpaceBytes } from '../../../../src/core/platform/files/index.ts'

void t.test('free space is the space available to unprivileged users on the file system of the path', async (t) => {
  const { blocks, bsize } = await statfs('/')
  const free = await freeSpaceBytes('/')
  t.ok(free > 0 && free <= blocks * bsize, `${free} bytes`)
  t.equal(await freeSpaceBytes('/proc'), 0, 'a file system without blocks has no space')
})

void t.test('a path that does not exist is an error, not zero', async (t) => {
  await t.rejects(freeSpaceBytes('/nowhere/at/all'), { code: 'ENOENT' })
})
