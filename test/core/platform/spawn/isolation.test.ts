import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createIsolation, runTool, startTool, type Isolation } from '../../../../src/core/platform/spawn/index.ts'
import { canStartThreadsAs } from '../../../support/unprivileged-user.ts'
import { waitUntil } from '../../../support/wait-until.ts'
import { processState } from '../../../support/processes.ts'

const INDEX_MODULE = join(import.meta.dirname, '../../../../src/core/platform/spawn/index.ts')
const UNPRIVILEGED_ID = 65_534

const isolation = createIsolation()
const { isWithoutNetwork, isWithoutRights } = isolation.limits()
const isRoot = process.geteuid?.() === 0

const skipNetwork = isWithoutNetwork ? false : 'this system allows no network namespace'
const skipRights = isWithoutRights ? false : 'this system has no setpriv that takes rights away'

const LIMIT = { timeoutSeconds: 300 }

/** A server on the loopback interface that closes each connection, and the number of its connections. */
async function listen(t: Test): Promise<{ port: number; connections: () => number }> {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return { port: (server.address() as AddressInfo).port, connections: () => connections }
}

void t.test('an isolated ffmpeg cannot reach a server of this machine, another one can', async (t) => {
  const { port, connections } = await listen(t)
  const words = ['-v', 'error', '-i', `tcp://127.0.0.1:${port}`, '-f', 'null', '-']
  const ffmpeg = { program: 'ffmpeg', arguments: words, ...LIMIT }
  t.match(await runTool(ffmpeg), { outcome: 'exited', signal: null })
  t.equal(connections(), 1, 'without isolation')
  if (skipNetwork !== false) return t.comment(skipNetwork)
  const refused = await runTool({ ...ffmpeg, isolation })
  t.match(refused, { outcome: 'exited', stderrTail: /Network is unreachable/ })
  t.not(refused.exitCode, 0)
  t.equal(connections(), 1, 'with isolation')
})

void t.test('an isolated program has only the rights to read and write files', { skip: skipRights }, async (t) => {
  const status = { program: 'cat', arguments: ['/proc/self/status'], ...LIMIT }
  const text = (await runTool({ ...status, isolation })).stdout.toString()
  t.match(text, /^NoNewPrivs:\t1$/m)
  t.match(text, /^CapInh:\t0+$/m)
  t.match(text, /^CapAmb:\t0+$/m)
  // CAP_DAC_OVERRIDE is 1, CAP_DAC_READ_SEARCH 2 (capabilities(7)).
  if (isRoot) for (const set of ['Bnd', 'Prm', 'Eff']) t.match(text, new RegExp(`^Cap${set}:\\t0{15}[0-6]$`, 'm'))
  else t.match(text, /^CapEff:\t0+$/m)
  const plain = (await runTool(status)).stdout.toString()
  t.match(plain, /^NoNewPrivs:\t0$/m, 'the others keep theirs')
})

void t.test('root reads files of other accounts in isolation', { skip: !isRoot }, async (t) => {
  const path = join(t.testdir({}), 'private')
  writeFileSync(path, 'words', { mode: 0o600 })
  chownSync(path, UNPRIVILEGED_ID, UNPRIVILEGED_ID)
  const { stdout } = await runTool({ program: 'cat', arguments: [path], isolation, ...LIMIT })
  t.equal(stdout.toString(), 'words')
})

void t.test('a missing program is reported through all wrappers', async (t) => {
  for (const niceness of [0, 5]) {
    const run = { program: '/nonexistent/tool', arguments: [], niceness, isolation }
    t.match(await runTool({ ...run, ...LIMIT }), { outcome: 'not_found' })
    t.match(await startTool({ ...run, onLine: () => {} }).ended, { outcome: 'not_found' })
  }
})

void t.test('an isolated tool keeps its process id, and is paused, resumed and killed with its children', async (t) => {
  const lines: string[] = []
  const shell = { program: '/bin/sh', arguments: ['-c', 'echo $$; sleep 600 & echo $!; wait'], niceness: 3 }
  const tool = startTool({ ...shell, isolation, onLine: (line) => lines.push(line) })
  await waitUntil('two lines', () => lines.length === 2)
  const pids = lines.map(Number)
  t.equal(pids[0], tool.pid)
  tool.pause()
  await waitUntil('both are stopped', () => pids.every((pid) => processState(pid) === 'T'))
  tool.resume()
  await waitUntil('both go on', () => pids.every((pid) => processState(pid) === 'S'))
  tool.kill()
  t.match(await tool.ended, { outcome: 'exited', signal: 'SIGKILL' })
  await waitUntil('all are gone', () => pids.every((pid) => ['', 'Z'].includes(processState(pid))))
})

/** A program that starts an isolated `sleep`, reports its environment, and keeps running. */
const PARENT = `import { readFileSync } from 'node:fs'
  import { createIsolation, runTool, startTool } from ${JSON.stringify(INDEX_MODULE)}
  const isolation = createIsolation()
  const read = (pid, name) => readFileSync('/proc/' + pid + '/' + name, 'utf8')
  const connect = { program: 'ffmpeg', arguments: ['-v', 'error', '-i', process.argv[1], '-f', 'null', '-'] }
  await runTool({ ...connect, isolation, timeoutSeconds: 300 })
  const tool = startTool({ program: 'sleep', arguments: ['600'], isolation, onLine() {} })
  while (!read(tool.pid, 'cmdline').startsWith('sleep')) await new Promise((resolve) => setTimeout(resolve, 10))
  const [status, environment] = [read(tool.pid, 'status'), read(tool.pid, 'environ')]
  console.log(JSON.stringify({ pid: tool.pid, limits: isolation.limits(), status, environment }))
  setInterval(() => {}, 60_000)`

type Report = { pid: number; limits: ReturnType<Isolation['limits']>; status: string; environment: string }

/** Kills the program after its report, and waits for the end of its children. */
async function killParent(address: string, account: { uid?: number; gid?: number }): Promise<Report> {
  const words = ['--input-type=module', '-e', PARENT, address]
  const parent = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'], cwd: '/', ...account })
  let text = ''
  for await (const chunk of parent.stdout) {
    text += String(chunk)
    if (text.endsWith('\n')) break
  }
  const report = JSON.parse(text) as Report
  parent.kill('SIGKILL')
  await waitUntil('its child is gone', () => ['', 'Z'].includes(processState(report.pid)))
  return report
}

void t.test('kill -9 of the parent ends an isolated child, which has the token of its run', async (t) => {
  const { environment } = await killParent('tcp://127.0.0.1:9', {})
  t.match(environment, /(?:^|\0)PHLIX_RUN_TOKEN=/)
})

void t.test('an ordinary account has the same isolation, by a user namespace', async (t) => {
  if (!isRoot || !(await canStartThreadsAs(UNPRIVILEGED_ID)))
    return t.comment('this account can start no other one here')
  const { port, connections } = await listen(t)
  const account = { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID }
  const { limits, status, environment } = await killParent(`tcp://127.0.0.1:${port}`, account)
  t.match(status, /^Uid:\t65534\t65534\t65534\t65534$/m)
  t.match(status, /^CapEff:\t0+$/m)
  t.match(environment, /(?:^|\0)PHLIX_RUN_TOKEN=/, 'read by the parent, as the sweep of orphans does')
  if (limits.isWithoutRights) t.match(status, /^NoNewPrivs:\t1$/m)
  if (limits.isWithoutNetwork) t.equal(connections(), 0)
})

void t.test('programs start with the restrictions that the system supports, which are determined once', async (t) => {
  const asked: string[][] = []
  const refusing = (isRefused: (words: string[]) => boolean) =>
    createIsolation({
      tryRun: (command) => {
        const words = [command.program, ...command.arguments]
        asked.push(words)
        return isRefused(words) ? 'refused' : 'succeeded'
      },
    })
  const isNetwork = (words: string[]): boolean => words.includes('--net')
  const isRights = (words: string[]): boolean => words.includes('--no-new-privs')
  const rows: [refused: (words: string[]) => boolean, network: boolean, rights: boolean][] = [
    [() => false, true, isWithoutRights],
    [isNetwork, false, isWithoutRights],
    [isRights, true, false],
    [() => true, false, false],
  ]
  for (const [refused, network, rights] of rows) {
    asked.length = 0
    const weak = refusing(refused)
    t.equal(asked.length, 0, 'not before it is used')
    t.strictSame(weak.limits(), { isWithoutNetwork: network, isWithoutRights: rights })
    const count = asked.length
    const { program, arguments: words } = weak.wrap({ program: 'cat', arguments: ['a', '--net'] })
    t.strictSame(words.slice(-3), ['cat', 'a', '--net'])
    t.equal(program.endsWith('unshare'), network)
    t.equal(isRights([...words]), rights)
    t.equal(words.includes('--pdeathsig'), existsSync('/usr/bin/setpriv'), 'it dies with its parent in any case')
    t.equal(asked.length, count)
  }
  const none = createIsolation({ tryRun: () => 'refused' })
  const run = { program: 'echo', arguments: ['here'], isolation: none, ...LIMIT }
  t.equal((await runTool(run)).stdout.toString(), 'here\n')
})

void t.test('a lack of descriptors while the restrictions are determined does not end the isolation', (t) => {
  let isScarce = true
  const tried = createIsolation({ tryRun: () => (isScarce ? 'unknown' : 'refused') })
  const all = { isWithoutNetwork: true, isWithoutRights: true }
  t.strictSame(tried.limits(), all, 'all of them are assumed')
  isScarce = false
  t.strictSame(tried.limits(), { isWithoutNetwork: false, isWithoutRights: false }, 'then they are determined')
  t.end()
})

void t.test('a process with no free descriptor does not conclude that the system supports no isolation', async (t) => {
  const text = `import { openSync, closeSync } from 'node:fs'
    import { createIsolation } from ${JSON.stringify(INDEX_MODULE)}
    const isolation = createIsolation()
    const opened = []
    try { for (;;) opened.push(openSync('/dev/null')) } catch {}
    const scarce = isolation.limits()
    for (const descriptor of opened) closeSync(descriptor)
    console.log(JSON.stringify([scarce, isolation.limits()]))`
  const words = ['-c', 'ulimit -n 64; exec "$0" --input-type=module -e "$1"', process.execPath, text]
  const { stdout } = await runTool({ program: '/bin/sh', arguments: words, ...LIMIT })
  const determined = { isWithoutNetwork, isWithoutRights }
  t.strictSame(JSON.parse(stdout.toString()), [{ isWithoutNetwork: true, isWithoutRights: true }, determined])
})

void t.test('only root makes a network namespace without a user namespace', (t) => {
  for (const isRoot of [true, false]) {
    const { arguments: words } = createIsolation({ isRoot, tryRun: () => 'succeeded' }).wrap({
      program: 'x',
      arguments: [],
    })
    t.equal(words.includes('--user'), !isRoot)
    t.equal(words.includes('--map-current-user'), !isRoot)
  }
  t.end()
})

const ENDS: [printed: string, exitCode: number, outcome: string][] = [
  ['unshare: unshare failed: No space left on device\n', 1, 'not_isolated'],
  ['setpriv: apply bounding set: Operation not permitted\n', 127, 'not_isolated'],
  ['unshare: failed to execute x: No such file or directory\n', 127, 'not_found'],
  ['unshare: unshare failed: No space left on device\nand more\n', 1, 'exited'],
  ['x\nunshare: unshare failed: No space left on device\n', 1, 'exited'],
  ['unshare: unshare failed: No space left on device\n', 2, 'exited'],
  [`unshare: ${'x'.repeat(5000)}\n`, 1, 'exited'],
  ['', 1, 'exited'],
]

void t.test('a restriction that is refused later is not a message of the program about its files', async (t) => {
  for (const [printed, exitCode, outcome] of ENDS) {
    const words = ['-c', 'printf %s "$0" >&2; exit "$1"', printed, `${exitCode}`]
    const tool = { program: '/bin/sh', arguments: words }
    t.equal((await runTool({ ...tool, ...LIMIT })).outcome, outcome, JSON.stringify(printed.slice(0, 60)))
    t.equal((await startTool({ ...tool, onLine: () => {} }).ended).outcome, outcome)
  }
})
