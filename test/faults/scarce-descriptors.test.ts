import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import t from 'tap'
import { startDaemon, stopDaemon } from '../support/daemon.ts'
import { testDatabase } from '../support/database.ts'
import { temporaryDataDirectory } from '../support/phlix.ts'
import { waitUntil } from '../support/wait-until.ts'

const CONNECTIONS = 150

void t.test(
  'a server with little memory that runs out of descriptors refuses connections, keeps running, and serves again (F-38)',
  async (t) => {
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
    const opened = (): number => readdirSync(`/proc/${pid}/fd`).length
    const limit = opened() + 20
    execFileSync('prlimit', ['--pid', `${pid}`, `--nofile=${limit}:`])
    const { port } = new URL(daemon.address)
    const sockets: Socket[] = []
    t.teardown(() => sockets.forEach((socket) => socket.destroy()))
    for (let count = 0; count < CONNECTIONS; count += 1) {
      sockets.push(connect(Number(port), '127.0.0.1').on('error', () => {}))
    }
    await waitUntil('no descriptor is left', () => opened() >= limit - 1)
    const answers = await Promise.all(Array.from({ length: 10 }, ready))
    t.ok(
      answers.every((status) => status === undefined || status === 503 || status === 200),
      answers.join(' '),
    )
    for (const socket of sockets) socket.destroy()
    await waitUntil('it serves', async () => (await ready()) === 200)
    t.equal(daemon.child.exitCode, null)
    t.notMatch(daemon.log(), /"level":"(critical|alert|emergency)"/)
  },
)
