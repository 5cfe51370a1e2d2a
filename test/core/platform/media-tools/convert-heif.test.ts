import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { convertHeif } from '../../../../src/core/platform/media-tools/convert-heif.ts'
import { createIsolation } from '../../../../src/core/platform/spawn/index.ts'

const isolation = createIsolation()
const heif = { program: 'heif-convert', isolation }
const missing = { program: '/nowhere/heif-convert', isolation }
const paths = { input: '/nowhere/a.heic', folder: '/nowhere' }

void t.test('a path that could be an option or contains NUL is refused before a program starts', async (t) => {
  for (const input of ['-q', '--help', 'a.heic', '../a.heic', '/a\0.heic', '']) {
    await t.rejects(convertHeif(heif, { ...paths, input }, 5), RangeError, input)
    await t.rejects(convertHeif(heif, { ...paths, folder: input }, 5), RangeError, input)
  }
})

void t.test('a missing program or file yields no picture', async (t) => {
  t.equal(await convertHeif(missing, paths, 5), undefined)
  t.equal(await convertHeif(heif, paths, 5), undefined)
})

void t.test('the first of several pictures is returned, and none for a run without output', async (t) => {
  const folder = t.testdir({})
  const program = (script: string) => {
    const path = join(folder, 'fake-program')
    writeFileSync(path, `#!/bin/sh\n${script}\n`)
    chmodSync(path, 0o755)
    return { program: path, isolation }
  }
  const input = '/films/a.heic'
  t.equal(await convertHeif(program('true'), { input, folder }, 5), undefined)
  const several = program(`printf '%s\\0' "$@" > ${folder}/words; for n in 1 2; do : > "\${5%.jpg}-$n.jpg"; done`)
  t.equal(await convertHeif(several, { input, folder }, 5), join(folder, 'picture-1.jpg'))
  const args = readFileSync(join(folder, 'words'), 'utf8').split('\0').slice(0, -1)
  t.strictSame(args, ['-q', '92', '--quiet', input, join(folder, 'picture.jpg')])
  t.equal(await convertHeif(program(`: > "$5"`), { input, folder }, 5), join(folder, 'picture.jpg'))
})
