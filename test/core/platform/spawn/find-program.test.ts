import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { findProgram } from '../../../../src/core/platform/spawn/index.ts'

void t.test('a program is found as the system finds it', (t) => {
  const folder = t.testdir({ first: {}, second: {} })
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]
  const path = `:relative:${join(folder, 'absent')}:${first}:${second}`
  t.equal(findProgram('tool', path), null)
  writeFileSync(join(second, 'tool'), '')
  chmodSync(join(second, 'tool'), 0o755)
  t.equal(findProgram('tool', path), join(second, 'tool'))
  mkdirSync(join(first, 'tool'))
  t.equal(findProgram('tool', path), join(second, 'tool'), 'a folder is no program')
  t.equal(findProgram(join(second, 'tool'), ''), join(second, 'tool'))
  t.equal(findProgram(join(first, 'tool'), path), null)
  writeFileSync(join(first, 'data'), '')
  chmodSync(join(first, 'data'), 0o644)
  t.equal(findProgram('data', path), null, 'a file that is not executable')
  t.equal(findProgram('sh'), findProgram('sh', process.env['PATH']))
  t.end()
})
