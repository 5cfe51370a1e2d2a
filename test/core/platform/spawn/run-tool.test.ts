import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { runTool } from '../../../../src/core/platform/spawn/index.ts'
import { waitUntil } from '../../../support/wait-until.ts'

const INDEX_MODULE = join(import.meta.dirname, '../../../../src/core/platform/spawn/index.ts')

/** A shell line as the program under test; the product itself never uses a shell. */
const shell = (line: string) => ({ program: '/bin/sh', arguments: ['-c', line], timeoutSeconds: 300 })

/** A killed process that is not reaped yet is a zombie and counts as ended. */
function isAlive(pid: number): boolean {
  const path = `/proc/${pid}/stat`
  return existsSync(path) && !/\) Z /.test(readFileSync(path, 'utf8'))
}

async function goes(t: Test, pid: number, which: string): Promise<void> {
  await waitUntil(`${which} is gone`, () => !isAlive(pid))
  t.pass(`${which} is gone`)
}

void t.test('what a program prints and how it ends is its result', async (t) => {
  const result = await runTool(shell('echo out; echo err >&2; exit 7'))
  t.match(result, { outcome: 'exited', exitCode: 7, signal: null, stderrTail: 'err\n' })
  t.equal(result.stdout.toString(), 'out\n')
})

void t.test('arguments arrive as they are: no shell reads them', async (t) => {
  const words = ['$(id)', '`id`', 'a b', '*', '"', "'", '; exit 1', '-n', '', 'a\nb', '%d', '\\']
  const result = await runTool({ program: 'printf', arguments: ['%s\\0', ...words], timeoutSeconds: 300 })
  t.strictSame(result.stdout.toString().split('\0').slice(0, -1), words)
})

void t.test('a program starts in the root folder by default, regardless of the current directory', async (t) => {
  t.equal((await runTool(shell('pwd'))).stdout.toString(), '/\n')
  t.equal((await runTool({ ...shell('pwd'), workingDirectory: '/usr' })).stdout.toString(), '/usr\n')
})

void t.test('a program that does not exist is reported as not found, also by absolute path', async (t) => {
  for (const program of ['phlix-no-such-program', '/no/such/program']) {
    t.match(await runTool({ program, arguments: [], timeoutSeconds: 300 }), { outcome: 'not_found' }, program)
    t.match(
      await runTool({ program, arguments: [], timeoutSeconds: 300, niceness: 5 }),
      { outcome: 'not_found' },
      program,
    )
  }
})

void t.test('the result of a program that ended by a signal has the signal', async (t) => {
  t.match(await runTool(shell('kill -SEGV $$')), { outcome: 'exited', signal: 'SIGSEGV' })
})

void t.test('a timeout kills the whole group, also processes that ignore SIGTERM', async (t) => {
  const line = 'trap "" TERM; sh -c \'trap "" TERM; echo $$; sleep 60\' & wait'
  const result = await runTool({ ...shell(line), timeoutSeconds: 3 })
  t.equal(result.outcome, 'timed_out')
  await goes(t, Number(result.stdout.toString()), 'the grandchild')
})

void t.test('a grandchild that keeps the pipes open does not delay the result', async (t) => {
  const inGroup = await runTool(shell('sleep 60 & echo $!; exit 3'))
  t.match(inGroup, { outcome: 'exited', exitCode: 3 })
  await goes(t, Number(inGroup.stdout.toString()), 'in the group: it')
  const elsewhere = await runTool(shell('setsid sleep 60 & echo $!; exit 4'))
  t.match(elsewhere, { outcome: 'exited', exitCode: 4 })
  process.kill(Number(elsewhere.stdout.toString()), 'SIGKILL')
})

void t.test('an abort ends the program, before the start and while it runs', async (t) => {
  const running = new AbortController()
  const mark = join(t.testdir(), 'running')
  const aborted = runTool({ ...shell(`: > '${mark}'; sleep 60`), signal: running.signal })
  await waitUntil('the program runs', () => existsSync(mark))
  running.abort()
  t.match(await aborted, { outcome: 'aborted' })
  t.match(await runTool({ ...shell('echo never'), signal: AbortSignal.abort() }), {
    outcome: 'aborted',
    stdout: Buffer.alloc(0),
  })
})

void t.test('endless output on stdout ends the run, on stderr only its last bytes are kept', async (t) => {
  t.match(await runTool({ ...shell('yes'), stdoutLimitBytes: 1000 }), { outcome: 'too_much_output' })
  const before = process.memoryUsage().rss
  const result = await runTool({ ...shell('head -c 1000000000 /dev/zero >&2; echo end >&2'), timeoutSeconds: 300 })
  t.match(result, { outcome: 'exited', exitCode: 0 })
  t.equal(result.stderrTail.length, 64 * 1024)
  t.match(result.stderrTail, /end\n$/)
  // Of a gigabyte. Chunks without references wait for the garbage collector, up to 100 MB when it runs late.
  const grownBytes = process.memoryUsage().rss - before
  t.ok(grownBytes < 500_000_000, `memory stays flat: ${grownBytes} bytes more`)
})

void t.test('stdin is closed: a program that reads it does not hang', async (t) => {
  t.match(await runTool(shell('cat; echo done')), { outcome: 'exited', exitCode: 0 })
})

void t.test('the child has a fixed locale and no secrets in its environment', async (t) => {
  const result = await runTool({ program: 'env', arguments: [], timeoutSeconds: 300 })
  const lines = result.stdout.toString().split('\n')
  const names = new Set(lines.map((line) => line.split('=')[0]))
  t.ok(names.has('PHLIX_RUN_TOKEN'))
  t.match(result.stdout.toString(), /^LC_ALL=C\.UTF-8$/m)
  for (const name of ['JWT_SECRET', 'DB_PASSWORD', 'TAP']) t.notOk(names.has(name), name)
})

void t.test('kill -9 of the parent ends the child', async (t) => {
  const script = `
    import { runTool } from ${JSON.stringify(INDEX_MODULE)}
    await runTool({ program: '/bin/sh', arguments: ['-c', 'echo $$ >&3; exec sleep 60'.replace(' >&3', ' > "$0"'), process.argv[1]], timeoutSeconds: 60 })`
  const note = join(t.testdir(), 'pid')
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script, note], { stdio: 'ignore' })
  await waitUntil('the child has noted its pid', () => existsSync(note) && readFileSync(note, 'utf8').endsWith('\n'))
  const child = Number(readFileSync(note, 'utf8'))
  t.ok(isAlive(child), 'it runs')
  parent.kill('SIGKILL')
  await goes(t, child, 'it')
})
