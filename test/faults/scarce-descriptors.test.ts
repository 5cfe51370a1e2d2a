import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { registerAdmin, scanLibrary, startDaemon, stopDaemon, type Daemon } from '../support/daemon.ts'
import { testDatabase } from '../support/database.ts'
import { temporaryDataDirectory } from '../support/phlix.ts'
import { waitUntil } from '../support/wait-until.ts'

const CONNECTIONS = 150
const ENOUGH_DESCRIPTORS = 1000

/** The background work of a daemon has started by then. */
const SETTLED_MILLISECONDS = 1500

type Case = { pauseMilliseconds: number; spare: number }

type ScarceDaemon = Daemon & {
  /** Status of `GET /readyz`; undefined without a response. */
  ready: () => Promise<number | undefined>
  /** Closes the connections that use up the descriptors. */
  leave: () => void
}

/** Starts a daemon and, after a pause, opens connections until it has no descriptor left. */
async function exhaust(t: Test, { pauseMilliseconds, spare }: Case): Promise<ScarceDaemon> {
  const { environment } = await testDatabase(t)
  const data = await temporaryDataDirectory(t)
  const daemon = await startDaemon(data, { ...environment, NODE_OPTIONS: '--max-old-space-size=128' })
  t.teardown(() => stopDaemon(daemon))
  const pid = daemon.child.pid ?? 0
  const ready = async (): Promise<number | undefined> =>
    fetch(`${daemon.address}/readyz`, { headers: { connection: 'close' }, signal: AbortSignal.timeout(5000) }).then(
      ({ status }) => status,
      () => undefined,
    )
  t.equal(await ready(), 200)
  await pause(pauseMilliseconds)
  const opened = (): number => readdirSync(`/proc/${pid}/fd`).length
  const limit = opened() + spare
  limitDescriptors(daemon, limit)
  const { port } = new URL(daemon.address)
  const sockets: Socket[] = []
  const leave = (): void => sockets.forEach((socket) => socket.destroy())
  t.teardown(leave)
  for (let count = 0; count < CONNECTIONS; count += 1) {
    sockets.push(connect(Number(port), '127.0.0.1').on('error', () => {}))
  }
  await waitUntil('no descriptor is left', () => opened() >= limit - 1)
  const answers = await Promise.all(Array.from({ length: 10 }, ready))
  t.ok(
    answers.every((status) => status === undefined || status === 503 || status === 200),
    answers.join(' '),
  )
  return { ...daemon, ready, leave }
}

function limitDescriptors({ child }: Daemon, limit: number): void {
  execFileSync('prlimit', ['--pid', `${child.pid}`, `--nofile=${limit}:`])
}

async function requireServing(t: Test, daemon: ScarceDaemon): Promise<void> {
  await waitUntil('it serves', async () => (await daemon.ready()) === 200)
  t.equal(daemon.child.exitCode, null, daemon.log())
  t.notMatch(daemon.log(), /"level":"(critical|alert|emergency)"/)
}

void t.test(
  'a server with little memory that runs out of descriptors refuses connections, keeps running, and serves again (F-38)',
  async (t) => {
    const daemon = await exhaust(t, { pauseMilliseconds: SETTLED_MILLISECONDS, spare: 20 })
    daemon.leave()
    await requireServing(t, daemon)
  },
)

void t.test('so does a server whose background work is still starting: it takes jobs later', async (t) => {
  for (const spare of [0, 3]) {
    const daemon = await exhaust(t, { pauseMilliseconds: 0, spare })
    daemon.leave()
    limitDescriptors(daemon, ENOUGH_DESCRIPTORS)
    await requireServing(t, daemon)
    const api = await registerAdmin(daemon)
    t.equal((await scanLibrary(api, t.testdir({}))).size, 0, `with ${spare} free descriptors`)
  }
})

void t.test('a server that lacks descriptors while its background work starts can be stopped', async (t) => {
  const daemon = await exhaust(t, { pauseMilliseconds: 0, spare: 0 })
  await stopDaemon(daemon)
  t.equal(daemon.child.exitCode, 0, daemon.log())
})
