import { spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../../src/core/platform/config/index.ts'
import { createLogger } from '../../../../src/core/platform/logging/index.ts'
import {
  createIsolation,
  isInstanceAlive,
  processInstanceId,
  runTool,
  killOrphans,
} from '../../../../src/core/platform/spawn/index.ts'

const log = await createLogger(loadConfig({ environment: {} }), { level: 'emergency' })
const DIRECTORY = '/srv/phlix'
const hash = createHash('sha256').update(DIRECTORY).digest('hex').slice(0, 16)
const otherHash = createHash('sha256').update('/srv/other').digest('hex').slice(0, 16)

function startTime(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

async function sleeperWith(t: Test, token: string | undefined): Promise<ChildProcess> {
  const child = spawn('sleep', ['600'], { env: token === undefined ? {} : { PHLIX_RUN_TOKEN: token }, stdio: 'ignore' })
  t.teardown(() => child.kill('SIGKILL'))
  await new Promise((resolve) => child.once('spawn', resolve))
  return child
}

void t.test('only children of a dead process of this data directory are killed', async (t) => {
  const orphan = await sleeperWith(t, `${hash}:999999:12345`)
  const reusedPid = await sleeperWith(t, `${hash}:${process.pid}:1`)
  const living = await sleeperWith(t, `${hash}:${process.pid}:${startTime(process.pid)}`)
  const foreign = await sleeperWith(t, `${otherHash}:999999:12345`)
  const unmarked = await sleeperWith(t, undefined)
  const garbled = await sleeperWith(t, 'x')
  const ended = [orphan, reusedPid].map(
    (child) => new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal))),
  )
  t.equal(killOrphans({ dataDirectory: DIRECTORY, log }), 2)
  t.strictSame(await Promise.all(ended), ['SIGKILL', 'SIGKILL'])
  for (const child of [living, foreign, unmarked, garbled]) t.equal(child.signalCode, null)
})

void t.test('a tool carries the data directory of its isolation', async (t) => {
  const tool = { program: 'env', arguments: [], timeoutSeconds: 300 }
  const tokenOf = async (isolation: ReturnType<typeof createIsolation>): Promise<string | undefined> =>
    /^PHLIX_RUN_TOKEN=(.*)$/m.exec((await runTool({ ...tool, isolation })).stdout.toString())?.[1]
  const owner = `${process.pid}:${startTime(process.pid)}`
  t.equal(await tokenOf(createIsolation({ dataDirectory: DIRECTORY })), `${hash}:${owner}`)
  t.equal(await tokenOf(createIsolation()), `:${owner}`)
})

void t.test('a mark is alive during its run, which a restart in the same process ends', (t) => {
  const own = processInstanceId()
  t.equal(processInstanceId(), own)
  t.ok(isInstanceAlive(own) && isInstanceAlive(`${own}-and-what-follows`))
  const [pid, start] = own.split('-')
  t.notOk(isInstanceAlive(`${pid}-${start}-0123456789ab-x`), 'an earlier run of this process')
  t.notOk(isInstanceAlive(`${pid}-${start}`), 'one of a release that knew no runs')
  t.notOk(isInstanceAlive(`${pid}-1-x`))
  t.ok(
    isInstanceAlive(`${process.ppid}-${startTime(process.ppid)}-0123456789ab-x`),
    'runs of others are not known here',
  )
  for (const none of ['', '-', 'x-1-y', '999999999-1-x', '../1-1-1']) t.notOk(isInstanceAlive(none), none)
  t.end()
})
