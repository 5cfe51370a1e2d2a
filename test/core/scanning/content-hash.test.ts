import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { hashEnds } from '../../../src/core/scanning/content-hash.ts'

void t.test('both ends of a file count, its middle does not', async (t) => {
  const folder = t.testdir()
  const hashOf = async (content: Buffer) => {
    const path = join(folder, 'file')
    writeFileSync(path, content)
    return (await hashEnds(folder, path)).toString('hex')
  }
  const changedAt = (content: Buffer, at: number): Buffer => {
    const copy = Buffer.from(content)
    copy[at] = 1
    return copy
  }
  const large = Buffer.alloc(300_000)
  t.equal(await hashOf(changedAt(large, 150_000)), await hashOf(large))
  for (const at of [0, 65_535, 300_000 - 65_536, 299_999])
    t.not(await hashOf(changedAt(large, at)), await hashOf(large), `${at}`)
  const middling = Buffer.alloc(100_000)
  for (const at of [0, 65_535, 65_536, 99_999])
    t.not(await hashOf(changedAt(middling, at)), await hashOf(middling), `${at}`)
  t.equal(await hashOf(Buffer.alloc(0)), await hashOf(Buffer.alloc(0)))
  t.not(await hashOf(Buffer.alloc(0)), await hashOf(Buffer.alloc(1)))
})

void t.test('a link out of the root is not followed', async (t) => {
  const folder = t.testdir({ outside: 'secret', inside: { link: t.fixture('symlink', '../outside') } })
  await t.rejects(hashEnds(join(folder, 'inside'), join(folder, 'inside/link')), { code: 'path_outside_root' })
})
