import t, { type Test } from 'tap'
import { PROCESS_LIMITS } from '../../../../src/core/plugins/process/limits.ts'
import { connectPlugin } from '../../../../src/core/plugins/process/plugin-process.ts'
import { residentMemory, startConnectedProgram } from '../../../../src/core/platform/spawn/index.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import { waitUntil } from '../../../support/wait-until.ts'

/** A process that sends 50 requests again and again, and never reads. */
function startDeaf(t: Test, answerBytes: number) {
  const line = `JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'get' }) + '\\n'`
  const text = `setInterval(() => process.stdout.write((${line}).repeat(50)), 50)`
  const program = startConnectedProgram({
    program: process.execPath,
    arguments: ['--eval', text],
    workingDirectory: '/',
    dataDirectory: reachableDirectory(t),
  })
  let asked = 0
  const running = connectPlugin({
    program,
    limits: PROCESS_LIMITS,
    answer: async () => {
      asked += 1
      return 'x'.repeat(answerBytes)
    },
    onLog: () => undefined,
  })
  t.teardown(async () => {
    running.kill('the test ends')
    await running.ended
  })
  return { program, running, asked: () => asked }
}

void t.test('of the requests of a plugin that does not read, only a few are answered (PI-04)', async (t) => {
  const { program, running, asked } = startDeaf(t, 1024 * 1024)
  t.match(await running.ended, /^it sent more than 100 requests without reading$/)
  t.equal(asked(), PROCESS_LIMITS.answersAtOnce)
  t.ok(program.stdin.writableLength <= 5 * 1024 * 1024)
})

void t.test('a plugin is killed when it leaves more than 16 MiB unread (PI-04)', async (t) => {
  const { running, asked } = startDeaf(t, 6 * 1024 * 1024)
  t.match(await running.ended, /^it did not read \d{8} bytes$/)
  t.ok(asked() <= PROCESS_LIMITS.answersAtOnce)
})

void t.test('the memory of a process counts with that of its children', async (t) => {
  const mebibyte = 1024 * 1024
  const hold = 'const kept = Buffer.alloc(100 * 1024 * 1024, 1); setInterval(() => kept, 60_000)'
  const program = startConnectedProgram({
    program: '/bin/sh',
    arguments: ['-c', '"$@" & wait', 'sh', process.execPath, '--eval', hold],
    workingDirectory: '/',
    dataDirectory: reachableDirectory(t),
  })
  t.teardown(async () => {
    program.kill()
    await program.ended
  })
  await waitUntil('it holds the buffer', () => residentMemory(program.pid ?? 0) > 100 * mebibyte)
  t.ok(residentMemory(program.pid ?? 0) < 300 * mebibyte)
  program.kill()
  await program.ended
  t.equal(residentMemory(program.pid ?? 0), 0)
})
