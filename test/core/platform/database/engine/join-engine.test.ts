import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { Client } from 'pg'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../../../src/core/platform/config/index.ts'
import { joinEngine, type EngineLease } from '../../../../../src/core/platform/database/index.ts'
import { createLogger } from '../../../../../src/core/platform/logging/index.ts'
import { dataDirectoryInMemory } from '../../../../support/directories.ts'
import { copyPreparedCluster } from '../../../../support/prepared-cluster.ts'
import { processesOf, untilNoProcessOf } from '../../../../support/processes.ts'
import { waitUntil } from '../../../../support/wait-until.ts'

const log = await createLogger(loadConfig({ environment: {} }), { level: 'emergency' })
const isRoot = process.getuid?.() === 0

async function joinFor(t: Test, dataDirectory: string): Promise<EngineLease> {
  const lease = await joinEngine({ dataDirectory, log })
  t.teardown(() => lease.leave())
  return lease
}

/** One statement on a new connection; repeated while the server restarts. */
async function ask(connectionUri: string, statement: string): Promise<unknown[]> {
  let rows: unknown[] | undefined
  await waitUntil(`an answer to ${statement}`, async () => {
    const client = new Client({ connectionString: connectionUri })
    client.on('error', () => {})
    try {
      await client.connect()
      rows = (await client.query(statement)).rows
    } catch {
      return false
    } finally {
      await client.end().catch(() => undefined)
    }
    return true
  })
  return rows ?? []
}

/** For tests that do not cover the first start. */
async function preparedDirectory(t: Test): Promise<string> {
  const directory = dataDirectoryInMemory(t)
  await copyPreparedCluster(directory)
  return directory
}

const postmasterPid = (dataDirectory: string): number =>
  Number(readFileSync(join(dataDirectory, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])

/** Programs that are started from now on find a program in their PATH that waits until its gate is open. */
function gateProgram(t: Test, name: string): { isReached: () => boolean; open: () => void } {
  const folder = dataDirectoryInMemory(t)
  const [reached, gate] = [join(folder, 'reached'), join(folder, 'gate')]
  chmodSync(folder, 0o777)
  const path = process.env['PATH']
  const script = `#!/bin/sh\nPATH='${path}'\n: > '${reached}'\nwhile [ ! -e '${gate}' ]; do sleep 0.05; done\nexec ${name} "$@"\n`
  writeFileSync(join(folder, name), script, { mode: 0o755 })
  process.env['PATH'] = `${folder}:${path}`
  t.teardown(() => {
    process.env['PATH'] = path
    writeFileSync(gate, '')
  })
  return { isReached: () => existsSync(reached), open: () => writeFileSync(gate, '') }
}

function supervisorPid(dataDirectory: string): number {
  const supervisor = processesOf(dataDirectory).find(({ command }) => command.includes('phlix-keeper'))
  return supervisor?.pid ?? Number.NaN
}

void t.test('ten concurrent starts share one server, and after the last release no process remains', async (t) => {
  const dataDirectory = dataDirectoryInMemory(t)
  const leases = await Promise.all(Array.from({ length: 10 }, () => joinFor(t, dataDirectory)))
  const uris = new Set(leases.map((lease) => lease.connectionUri))
  t.equal(uris.size, 1)
  // For a moment a child of the server has the server's command line, and a server that did not get the lock may still be ending.
  const servers = () => processesOf(dataDirectory).filter(({ command }) => /^\S+\/postgres -D/.test(command))
  await waitUntil('one postmaster is left', () => servers().length === 1)
  t.equal(servers()[0]?.pid, postmasterPid(dataDirectory), 'one postmaster')
  for (const lease of leases.slice(1)) await lease.leave()
  t.strictSame(await ask(leases[0]?.connectionUri ?? '', 'select 1 as one'), [{ one: 1 }], 'the last lease still works')
  await leases[0]?.leave()
  t.strictSame(await untilNoProcessOf(dataDirectory), [])
})

void t.test(
  'the cluster is UTF-8 with checksums, on a Unix socket only, and inaccessible to other accounts',
  async (t) => {
    const dataDirectory = dataDirectoryInMemory(t)
    const { connectionUri } = await joinFor(t, dataDirectory)
    t.strictSame(
      await ask(
        connectionUri,
        `select current_setting('server_encoding') as encoding, current_setting('data_checksums') as checksums,
       current_setting('listen_addresses') as addresses, current_setting('server_version_num')::int / 10000 as major`,
      ),
      [{ encoding: 'UTF8', checksums: 'on', addresses: '', major: 18 }],
    )
    t.equal(statSync(join(dataDirectory, 'run')).mode & 0o777, 0o700)
    t.equal(statSync(join(dataDirectory, 'postgres')).mode & 0o777, 0o700)
  },
)

void t.test('kill -9 of the postmaster: it is restarted and acknowledged writes are present', async (t) => {
  const dataDirectory = await preparedDirectory(t)
  const { connectionUri } = await joinFor(t, dataDirectory)
  await ask(connectionUri, 'create table kept (id int)')
  for (let round = 0; round < 3; round++) {
    await ask(connectionUri, `insert into kept values (${round})`)
    process.kill(postmasterPid(dataDirectory), 'SIGKILL')
  }
  t.strictSame(await ask(connectionUri, 'select count(*)::int as count from kept'), [{ count: 3 }])
})

void t.test('kill -9 of the supervisor: the lease is acquired again automatically', async (t) => {
  const dataDirectory = await preparedDirectory(t)
  const lease = await joinFor(t, dataDirectory)
  await ask(lease.connectionUri, 'create table kept (id int)')
  process.kill(supervisorPid(dataDirectory), 'SIGKILL')
  t.strictSame(await ask(lease.connectionUri, 'select count(*)::int as count from kept'), [{ count: 0 }])
  await lease.leave()
  t.strictSame(await untilNoProcessOf(dataDirectory), [])
})

void t.test('kill -9 of supervisor and postmaster together: the engine recovers', async (t) => {
  const dataDirectory = await preparedDirectory(t)
  const lease = await joinFor(t, dataDirectory)
  await ask(lease.connectionUri, 'create table kept (id int)')
  const [supervisor, postmaster] = [supervisorPid(dataDirectory), postmasterPid(dataDirectory)]
  process.kill(supervisor, 'SIGKILL')
  process.kill(postmaster, 'SIGKILL')
  t.strictSame(await ask(lease.connectionUri, 'select count(*)::int as count from kept'), [{ count: 0 }])
  await lease.leave()
  t.strictSame(await untilNoProcessOf(dataDirectory), [])
})

void t.test('kill -9 of the only participant: the engine stops, even if its tools keep running', async (t) => {
  const dataDirectory = await preparedDirectory(t)
  const script = `
    import { spawn } from 'node:child_process'
    import { joinEngine } from ${JSON.stringify(join(import.meta.dirname, '../../../../../src/core/platform/database/index.ts'))}
    const silent = { warning() {}, error() {} }
    await joinEngine({ dataDirectory: ${JSON.stringify(dataDirectory)}, log: silent, isDurable: false })
    const tool = spawn('sleep', ['300'], { stdio: 'ignore', cwd: '/', detached: true })
    console.log(tool.pid)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const tool = Number(await new Promise((resolve) => child.stdout.once('data', resolve)))
  t.teardown(() => process.kill(tool, 'SIGKILL'))
  t.not(processesOf(dataDirectory).length, 0)
  child.kill('SIGKILL')
  t.strictSame(await untilNoProcessOf(dataDirectory), [])
  t.ok(existsSync(`/proc/${tool}`), 'the tool lives')
})

void t.test('a lease that is acquired while the supervisor is about to stop keeps the engine running', async (t) => {
  const dataDirectory = await preparedDirectory(t)
  const gates = gateProgram(t, 'mv')
  const first = await joinEngine({ dataDirectory, log, isDurable: false })
  const server = postmasterPid(dataDirectory)
  await first.leave()
  await waitUntil('the supervisor is about to stop', () => gates.isReached())
  const late = await joinFor(t, dataDirectory)
  gates.open()
  t.strictSame(await ask(late.connectionUri, 'select 1 as one'), [{ one: 1 }])
  await waitUntil('the supervisor can be joined again', async () => {
    const next = await joinEngine({ dataDirectory, log, isDurable: false })
    await next.leave()
    return postmasterPid(dataDirectory) === server
  })
  await late.leave()
  t.strictSame(await untilNoProcessOf(dataDirectory), [])
  t.strictSame(
    readdirSync(join(dataDirectory, 'run')).filter((name) => name.startsWith('keeper-')),
    [],
    'no files of the supervisor remain',
  )
})

void t.test('a lease that is acquired after the supervisor has begun to stop belongs to the next engine', async (t) => {
  const dataDirectory = await preparedDirectory(t)
  const first = await joinEngine({ dataDirectory, log, isDurable: false })
  const server = postmasterPid(dataDirectory)
  await first.leave()
  const closed = (): boolean =>
    readdirSync(join(dataDirectory, 'run'))
      .filter((name) => name.startsWith('keeper-'))
      .some((name) => existsSync(join(dataDirectory, 'run', name, 'closed')))
  await waitUntil('the supervisor is stopping', () => closed() || processesOf(dataDirectory).length === 0)
  const late = await joinFor(t, dataDirectory)
  t.strictSame(await ask(late.connectionUri, 'select 1 as one'), [{ one: 1 }])
  t.not(postmasterPid(dataDirectory), server)
})

void t.test('files of a killed supervisor are removed by the next one', async (t) => {
  const dataDirectory = await preparedDirectory(t)
  const lease = await joinFor(t, dataDirectory)
  const folders = (): string[] => readdirSync(join(dataDirectory, 'run')).filter((name) => /^keeper-[^.]+$/.test(name))
  const [killed] = folders()
  process.kill(supervisorPid(dataDirectory), 'SIGKILL')
  await ask(lease.connectionUri, 'select 1 as one')
  await waitUntil('another supervisor has started', () => folders().some((name) => name !== killed))
  await waitUntil('the folder of the killed one is gone', () => !folders().includes(String(killed)))
})

void t.test('the supervisor uses less than 10 MiB', async (t) => {
  const dataDirectory = await preparedDirectory(t)
  await joinFor(t, dataDirectory)
  const kibibytes = processesOf(dataDirectory)
    .filter(({ command }) => command.includes('phlix-keeper'))
    .map(({ pid }) => Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]))
  t.equal(kibibytes.length, 1, 'one process')
  t.ok((kibibytes[0] ?? Number.NaN) < 10 * 1024, `${kibibytes[0]} KiB`)
})

void t.test('a stale postmaster.pid of a dead process does not prevent a start', async (t) => {
  const dataDirectory = await preparedDirectory(t)
  const first = await joinEngine({ dataDirectory, log, isDurable: false })
  await first.leave()
  await untilNoProcessOf(dataDirectory)
  const cluster = join(dataDirectory, 'postgres')
  writeFileSync(join(cluster, 'postmaster.pid'), `999999\n${cluster}\n1700000000\n5432\n\n\n`, { mode: 0o600 })
  const { uid, gid } = statSync(cluster)
  chownSync(join(cluster, 'postmaster.pid'), uid, gid)
  const { connectionUri } = await joinFor(t, dataDirectory)
  t.strictSame(await ask(connectionUri, 'select 1 as one'), [{ one: 1 }])
})

void t.test(
  'a stale postmaster.pid whose pid now belongs to another process of the account does not prevent a start',
  async (t) => {
    const dataDirectory = await preparedDirectory(t)
    const first = await joinEngine({ dataDirectory, log, isDurable: false })
    const lockFile = join(dataDirectory, 'postgres', 'postmaster.pid')
    const [, ...rest] = readFileSync(lockFile, 'utf8').split('\n')
    await first.leave()
    await untilNoProcessOf(dataDirectory)
    const { uid, gid } = statSync(join(dataDirectory, 'postgres'))
    const stranger = spawn('sleep', ['300'], { stdio: 'ignore', cwd: '/', ...(isRoot ? { uid, gid } : {}) })
    t.teardown(() => stranger.kill())
    writeFileSync(lockFile, [stranger.pid, ...rest].join('\n'))
    const { connectionUri } = await joinFor(t, dataDirectory)
    t.strictSame(await ask(connectionUri, 'select 1 as one'), [{ one: 1 }])
    t.equal(stranger.exitCode ?? stranger.signalCode, null, 'the stranger lives')
  },
)

void t.test(
  'a server that lost its supervisor is stopped, also when the data directory is reached through a link',
  async (t) => {
    const real = await preparedDirectory(t)
    const dataDirectory = join(dataDirectoryInMemory(t), 'link')
    symlinkSync(real, dataDirectory)
    const first = await joinEngine({ dataDirectory, log, isDurable: false })
    const [program = '', ...words] = readFileSync(`/proc/${postmasterPid(real)}/cmdline`, 'utf8')
      .split('\0')
      .slice(0, -1)
    await first.leave()
    t.strictSame(await untilNoProcessOf(real), [])
    const { uid, gid } = statSync(join(real, 'postgres'))
    const orphan = spawn(program, words, { stdio: 'ignore', cwd: '/', ...(isRoot ? { uid, gid } : {}) })
    t.teardown(() => orphan.kill('SIGKILL'))
    await waitUntil('the orphan has its lock file', () => existsSync(join(real, 'postgres', 'postmaster.pid')))
    const { connectionUri } = await joinFor(t, dataDirectory)
    t.strictSame(await ask(connectionUri, 'select 1 as one'), [{ one: 1 }])
    t.equal(orphan.exitCode, 0, 'it was asked to stop, not killed')
  },
)

void t.test('processes that join while a server starts wait for it and do not stop it', async (t) => {
  const dataDirectory = await preparedDirectory(t)
  const first = await joinEngine({ dataDirectory, log, isDurable: false })
  await first.leave()
  t.strictSame(await untilNoProcessOf(dataDirectory), [])
  const serverLog = join(dataDirectory, 'logs', 'postgres.log')
  truncateSync(serverLog)
  await Promise.all(Array.from({ length: 6 }, () => joinFor(t, dataDirectory)))
  t.notMatch(readFileSync(serverLog, 'utf8'), /shutdown request/)
})

void t.test('remains of a killed first start are removed by the next one', async (t) => {
  const dataDirectory = dataDirectoryInMemory(t)
  mkdirSync(join(dataDirectory, 'postgres.999999'))
  await joinFor(t, dataDirectory)
  t.notOk(existsSync(join(dataDirectory, 'postgres.999999')))
})

void t.test('SIGTERM does not stop the database while a lease is held', async (t) => {
  const dataDirectory = await preparedDirectory(t)
  const lease = await joinFor(t, dataDirectory)
  const supervisor = supervisorPid(dataDirectory)
  process.kill(supervisor, 'SIGTERM')
  t.strictSame(await ask(lease.connectionUri, 'select 1 as one'), [{ one: 1 }])
  t.equal(supervisorPid(dataDirectory), supervisor)
  await lease.leave()
  t.strictSame(await untilNoProcessOf(dataDirectory), [])
})

void t.test('a data directory too deep for a socket path works', async (t) => {
  const dataDirectory = join(dataDirectoryInMemory(t), 'd'.repeat(100), 'e'.repeat(100))
  const { connectionUri } = await joinFor(t, dataDirectory)
  t.strictSame(await ask(connectionUri, 'select 1 as one'), [{ one: 1 }])
})

void t.test('files of another major version are refused and not changed', async (t) => {
  const dataDirectory = dataDirectoryInMemory(t)
  mkdirSync(join(dataDirectory, 'postgres'))
  writeFileSync(join(dataDirectory, 'postgres', 'PG_VERSION'), '15\n')
  await t.rejects(joinEngine({ dataDirectory, log }), { code: 'engine_version', kind: 'misconfigured' })
  t.equal(readFileSync(join(dataDirectory, 'postgres', 'PG_VERSION'), 'utf8'), '15\n')
})

if (isRoot) {
  void t.test('under root, a folder that the engine account cannot access is reported', async (t) => {
    const closed = dataDirectoryInMemory(t)
    chmodSync(closed, 0o700)
    const dataDirectory = join(closed, 'data')
    await t.rejects(joinEngine({ dataDirectory, log }), { code: 'engine_misplaced', message: new RegExp(closed) })
  })

  void t.test('under root, the server runs as the owner of the data directory', async (t) => {
    const dataDirectory = dataDirectoryInMemory(t)
    chownSync(dataDirectory, 1, 1)
    await joinFor(t, dataDirectory)
    const status = readFileSync(`/proc/${postmasterPid(dataDirectory)}/status`, 'utf8')
    t.match(status, /^Uid:\t1\t1/m)
  })
}
