import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { waitUntil } from '../support/wait-until.ts'
import { recordSetup } from './setup-times.ts'

const RUNNER = join(import.meta.dirname, 'run.ts')

type Run = { status: number | null; lines: string[]; text: string }

/** Runs the test runner on files of these contents, in a folder of their own. */
async function runFiles(t: Test, contents: Record<string, string>, words: readonly string[] = []): Promise<Run> {
  const folder = t.testdir(contents)
  const startedAt = performance.now()
  const child = spawn(process.execPath, [RUNNER, ...words, folder], { stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
  recordSetup('process', performance.now() - startedAt)
  return { status, text, lines: text.trimEnd().split('\n') }
}

/** A zombie, which its parent has not waited for yet, has no command line. */
function isRunning(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== ''
  } catch {
    return false
  }
}

const test = (body: string): string =>
  `import t from 'tap'\nimport { appendFileSync, existsSync, writeFileSync } from 'node:fs'\n${body}\n`
const passing = (name: string): string => test(`void t.test('${name}', (t) => { t.ok(true); t.equal(1, 1); t.end() })`)

void t.test('a run of passing files ends with their assertions and status 0', async (t) => {
  const { status, lines, text } = await runFiles(t, { 'a.test.ts': passing('a'), 'b.test.ts': passing('b') })
  t.equal(status, 0)
  t.equal(lines.at(-1), '4 passed, 0 failed')
  t.match(text, /^ok .* 2 {2}.*a\.test\.ts$/m)
  t.match(text, /The slowest files[^]*The folders:[^]* all \(2\)$/m)
})

void t.test('a failed assertion is printed when it happens, and the file once more by itself at the end', async (t) => {
  const { status, lines, text } = await runFiles(t, {
    'a.test.ts': test(`void t.test('sums', (t) => { t.ok(true, 'fine'); t.equal(1, 2, 'one is two'); t.end() })`),
    'b.test.ts': passing('b'),
  })
  t.equal(status, 1)
  t.equal(lines.at(-1), '3 passed, 1 failed')
  t.equal(text.match(/not ok 2 - one is two/g)?.length, 2)
  t.match(text, /\+1/, 'with what was expected')
  t.notMatch(text, /ok 1 - fine/, 'without what passed')
  t.match(lines.at(-2) ?? '', /^failed .*a\.test\.ts$/)
})

void t.test('a file that passes by itself afterwards is flaky, and the run fails', async (t) => {
  const mark = join(t.testdir(), 'mark')
  const { status, lines } = await runFiles(t, {
    'a.test.ts': test(`
      const isFirst = !existsSync(${JSON.stringify(mark)})
      writeFileSync(${JSON.stringify(mark)}, '')
      t.notOk(isFirst, 'not the first time')`),
  })
  t.equal(status, 1)
  t.match(lines.at(-2) ?? '', /^flaky .*a\.test\.ts$/)
  t.equal(lines.at(-1), '0 passed, 1 failed')
})

void t.test('a process that ends early fails its file alone', async (t) => {
  const { status, lines, text } = await runFiles(
    t,
    { 'a.test.ts': test(`console.error('last words')\nprocess.exit(3)`), 'b.test.ts': passing('b') },
    ['--jobs', '1'],
  )
  t.equal(status, 1)
  t.match(text, /the process of the test ended with exit code 3/)
  t.match(text, /last words/)
  t.equal(lines.at(-1), '2 passed, 1 failed')
})

void t.test('an error outside of a test fails its file', async (t) => {
  const { status, text } = await runFiles(t, {
    'a.test.ts': test(`throw new Error('broken module')`),
    'b.test.ts': test(`void t.test('late', async () => { await Promise.reject(new Error('broken test')) })`),
    'c.test.ts': test(`
      const throwLater = (text) => (t) => new Promise(() => setTimeout(() => { throw new Error(text) }, 1))
      const pass = (t) => { t.ok(true); t.end() }
      void t.test('before', pass)
      void t.test('around', async (t) => {
        await t.test('throws', throwLater('uncaught'))
        await t.test('goes on', pass)
      })
      void t.test('rejects', async (t) => { void Promise.reject(7); await new Promise(setImmediate) })
      void t.test('after', pass)`),
  })
  t.equal(status, 1)
  const failed = [...text.matchAll(/^ +not ok \d+ - (before|throws|goes on|around|rejects|after)\b/gm)]
  t.strictSame(
    [...new Set(failed.map(([, name]) => name))],
    ['throws', 'around', 'rejects'],
    'the test that runs fails',
  )
  t.match(text, /reason "7"/)
  t.match(text, /broken module/)
  t.match(text, /broken test/)
})

void t.test('a server that is left open fails the run and is named', async (t) => {
  const { status, text } = await runFiles(
    t,
    { 'a.test.ts': test(`import { createServer } from 'node:net'\nt.ok(createServer().listen(0))`) },
    ['--exit-seconds', '1'],
  )
  t.equal(status, 1)
  t.match(text, /does not end because of what is still open: .*TCPServerWrap/)
})

void t.test('what fails after the last assertion or at the end of the process fails the run', async (t) => {
  const late = await runFiles(t, {
    'a.test.ts': test(`t.ok(true)\nsetTimeout(() => { throw new Error('too late') }, 50)`),
  })
  t.equal(late.status, 1)
  const atExit = await runFiles(t, { 'a.test.ts': test(`t.ok(true)\nprocess.once('exit', () => process.exit(5))`) })
  t.equal(atExit.status, 1)
  t.match(atExit.text, /the process of the tests ended with exit code 5 after its last file/)
})

void t.test('a file without tests fails', async (t) => {
  const { status, text, lines } = await runFiles(t, { 'a.test.ts': test(''), 'b.test.ts': passing('b') })
  t.equal(status, 1)
  t.match(text, /a\.test\.ts has no tests/)
  t.equal(lines.at(-1), '2 passed, 1 failed')
})

void t.test('a file that does not end is ended with its processes, and named', async (t) => {
  const mark = join(t.testdir(), 'pid')
  const starts = `
    import { spawn } from 'node:child_process'
    writeFileSync(${JSON.stringify(mark)}, String(spawn('sleep', ['1000'], { stdio: 'ignore' }).pid))`
  const { status, text, lines } = await runFiles(
    t,
    {
      'a.test.ts': test(`${starts}\nvoid t.test('waits', () => new Promise((resolve) => setTimeout(resolve, 1e6)))`),
      'b.test.ts': passing('b'),
    },
    ['--file-seconds', '2', '--jobs', '1'],
  )
  t.equal(status, 1)
  t.match(text, /no end after 2 s; open: .*Timeout/)
  t.equal(lines.at(-1), '2 passed, 1 failed')
  await waitUntil('its processes have ended', () => !isRunning(readFileSync(mark, 'utf8')))
  const busy = await runFiles(t, { 'a.test.ts': test('for (;;);') }, ['--file-seconds', '2'])
  t.equal(busy.status, 1)
  t.match(busy.text, /no end after 2 s; its thread is busy/)
})

void t.test('process state that a file changes and leaves fails it', async (t) => {
  const { status, text, lines } = await runFiles(t, {
    'a.test.ts': test(`process.env['LEFT'] = 'x'\nprocess.once('SIGTERM', () => {})\nt.ok(true)`),
  })
  t.equal(status, 1)
  t.match(text, /left behind: process\.env\.LEFT was absent and is x/)
  t.match(text, /left behind: listeners of SIGTERM was 0 and is 1/)
  t.equal(lines.at(-1), '1 passed, 1 failed')
})

void t.test('files share a process and its modules, and each has its own teardown', async (t) => {
  const log = join(t.testdir(), 'log')
  const file = (name: string): string =>
    test(`
      import { say } from './shared.ts'
      t.beforeEach(() => say('before ${name}'))
      t.teardown(() => say('after ${name}'))
      void t.test('${name}', (t) => { t.ok(say('in ${name}')); t.end() })`)
  const shared = test(`
    let calls = 0
    export const say = (words) => { appendFileSync(${JSON.stringify(log)}, words + ' ' + ++calls + '\\n'); return true }`)
  const { status } = await runFiles(t, { 'a.test.ts': file('a'), 'b.test.ts': file('b'), 'shared.ts': shared }, [
    '--jobs',
    '1',
  ])
  t.equal(status, 0)
  t.strictSame(readFileSync(log, 'utf8').trim().split('\n'), [
    'before a 1',
    'in a 2',
    'after a 3',
    'before b 4',
    'in b 5',
    'after b 6',
  ])
})

void t.test('skipped tests are counted in the last line', async (t) => {
  const { status, lines } = await runFiles(t, {
    'a.test.ts': test(`void t.test('with mpv', { skip: 'mpv is not installed' }, () => {})\nt.ok(true)`),
  })
  t.equal(status, 0)
  t.equal(lines.at(-1), '1 passed, 0 failed, 1 skipped')
})

const WRONG: readonly [words: string[], message: RegExp][] = [
  [['--jobs', '0'], /--jobs takes a whole number of 1 or more, not 0/],
  [['--jobs', 'many'], /not many/],
  [['--exit-seconds', '0.5'], /--exit-seconds takes a whole number/],
  [['--prot'], /Unknown option '--prot'/],
  [['test/support/app.ts'], /test\/support\/app\.ts names no test file/],
  [['nowhere.test.ts'], /nowhere\.test\.ts names no test file/],
]

for (const [words, message] of WRONG) {
  void t.test(`${words.join(' ')} is wrong usage: one line and status 2`, async (t) => {
    const { status, lines, text } = await runFiles(t, { 'a.test.ts': passing('a') }, words)
    t.equal(status, 2)
    t.match(text, message)
    t.equal(lines.length, 1)
  })
}
