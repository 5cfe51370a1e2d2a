import t, { type Test } from 'tap'
import { PROCESS_LIMITS } from '../../../../src/core/plugins/process/limits.ts'
import { connectPlugin } from '../../../../src/core/plugins/process/plugin-process.ts'
import { readResidentMemory, startConnectedProgram } from '../../../../src/core/platform/spawn/index.ts'
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

/** A process that answers pings and nothing else; it sends a request first if it has one. */
function startUnanswering(t: Test, request: string | undefined) {
  const reply = `if (method === 'ping') process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: null }) + '\\n')`
  const text = `
    if (${request !== undefined}) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: 1, method: '${request}' }) + '\\n')
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line)
      ${reply}
    })`
  const program = startConnectedProgram({
    program: process.execPath,
    arguments: ['--eval', text],
    workingDirectory: '/',
    dataDirectory: reachableDirectory(t),
  })
  const asked = Promise.withResolvers<void>()
  const running = connectPlugin({
    program,
    limits: PROCESS_LIMITS,
    answer: () => {
      asked.resolve()
      return new Promise(() => undefined)
    },
    onLog: () => undefined,
  })
  t.teardown(async () => {
    running.kill('the test ends')
    await running.ended
  })
  return { running, asked: asked.promise }
}

void t.test('late answers end a plugin, but not while it waits for a server of others', async (t) => {
  const waiting = startUnanswering(t, 'http.request')
  await waiting.asked
  for (let count = 0; count < 4; count += 1) await t.rejects(waiting.running.call('ask', {}, 1), /did not answer/)
  await waiting.running.call('ping', {}, 60_000)

  for (const request of [undefined, 'store.get']) {
    const hanging = startUnanswering(t, request)
    if (request !== undefined) await hanging.asked
    for (let count = 0; count < 3; count += 1) await t.rejects(hanging.running.call('ask', {}, 1), /did not answer/)
    t.equal(await hanging.running.ended, 'it answered 3 calls too late')
  }
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
  await waitUntil('it holds the buffer', () => readResidentMemory(program.pid ?? 0) > 100 * mebibyte)
  t.ok(readResidentMemory(program.pid ?? 0) < 300 * mebibyte)
  program.kill()
  await program.ended
  t.equal(readResidentMemory(program.pid ?? 0), 0)
})
