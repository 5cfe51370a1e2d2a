import t from 'tap'
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ISOLATED_FILES } from './isolated-files.ts'
import { findTestFiles, planRun } from './plan-run.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const none = new Map<string, number>()

void t.test('files, folders and patterns name test files, each once', (t) => {
  const root = t.testdir({ a: { 'one.test.ts': '', 'two.test.ts': '', 'support.ts': '' }, b: { 'three.test.ts': '' } })
  t.strictSame(findTestFiles(root, ['a']), ['a/one.test.ts', 'a/two.test.ts'])
  t.strictSame(findTestFiles(root, ['b/three.test.ts', '*/t*.test.ts']), ['a/two.test.ts', 'b/three.test.ts'])
  t.throws(() => findTestFiles(root, ['c']), { message: 'c names no test file' })
  t.end()
})

void t.test('files that only compute come first; then the longest, as far as known', (t) => {
  const root = t.testdir({
    test: {
      'computes.test.ts': `import { x } from './pure.ts'`,
      'pure.ts': '',
      'reaches.test.ts': `import { x } from './through.ts'`,
      'through.ts': `import { y } from './support/database.ts'`,
      support: { 'database.ts': '' },
      'spawns.test.ts': `import { spawn } from 'node:child_process'`,
      faults: { 'unknown.test.ts': `import { spawn } from 'node:child_process'` },
    },
  })
  const files = findTestFiles(root, ['test'])
  const planned = planRun(
    root,
    files,
    new Map([
      ['test/spawns.test.ts', 10],
      ['test/reaches.test.ts', 20],
    ]),
  )
  t.strictSame(planned, [
    { file: 'test/computes.test.ts', isFast: true },
    { file: 'test/faults/unknown.test.ts', isFast: false },
    { file: 'test/reaches.test.ts', isFast: false },
    { file: 'test/spawns.test.ts', isFast: false },
  ])
  t.end()
})

void t.test('of this project, names are fast and routes are not', (t) => {
  const files = ['test/daemon/app.test.ts', 'test/core/naming/release/editions.test.ts']
  t.strictSame(planRun(ROOT, files, none), [
    { file: 'test/core/naming/release/editions.test.ts', isFast: true },
    { file: 'test/daemon/app.test.ts', isFast: false },
  ])
  t.end()
})

void t.test('every file that has a process of its own exists and says why', (t) => {
  for (const [file, reason] of ISOLATED_FILES) {
    t.ok(existsSync(join(ROOT, file)), relative(ROOT, file))
    t.match(reason, /\w+ \w+/, file)
  }
  t.end()
})
