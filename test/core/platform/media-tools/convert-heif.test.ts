import t from 'tap'
import { convertHeif } from '../../../../src/core/platform/media-tools/convert-heif.ts'

const paths = { input: '/nowhere/a.heic', output: '/nowhere/a.jpg' }

void t.test('a path that could be an option or end early is refused before anything starts', async (t) => {
  for (const input of ['-q', '--help', 'a.heic', '../a.heic', '/a\0.heic', '']) {
    await t.rejects(convertHeif('heif-convert', { ...paths, input }, 5), RangeError, input)
    await t.rejects(convertHeif('heif-convert', { ...paths, output: input }, 5), RangeError, input)
  }
})

void t.test('a program or file that is not there makes no picture', async (t) => {
  t.equal(await convertHeif('/nowhere/heif-convert', paths, 5), false)
  t.equal(await convertHeif('heif-convert', paths, 5), false)
})
