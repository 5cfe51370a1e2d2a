import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import t from 'tap'
import { engineConnectionUri, enginePaths } from '../../src/core/platform/database/engine/engine-paths.ts'
import { registerAdmin, startDaemon, stopDaemon, type Daemon } from '../support/daemon.ts'
import { smallDisk, unlessMountable } from '../support/disks.ts'
import { copyPreparedCluster } from '../support/prepared-cluster.ts'
import { waitUntil } from '../support/wait-until.ts'

/** Room for the cluster, its write-ahead log and one further segment of it. */
const DISK_MEBIBYTES = 192
/** Segments need no free space here, so that every refusal is caused by the database. */
const ENVIRONMENT = { HLS_MIN_DISK_SPACE_BYTES: '0' }

void t.test(
  'while the disk of the database is full the daemon answers 503 and says why, and it serves again when there is space (F-10)',
  { skip: unlessMountable() },
  async (t) => {
    const disk = smallDisk(t, DISK_MEBIBYTES)
    const data = join(disk.folder, 'data')
    mkdirSync(data, { mode: 0o755 })
    await copyPreparedCluster(data)
    const daemon = await startDaemon(data, ENVIRONMENT)
    t.teardown(() => stopDaemon(daemon))
    const api = await registerAdmin(daemon)
    await api('POST', '/me/requests', request('before'))

    disk.fill()
    t.match(await panicOf(data), /No space left on device/, 'the database ends because it cannot write its log')
    const full = { status: 503, missing: ['the database is not reachable', 'the disk is full'] }
    await waitUntil('health tells of both', async () => (await ready(daemon)).missing.length === 2)
    t.match(await ready(daemon), full)
    for (const path of ['/auth/me', '/libraries', '/me/requests']) {
      await t.rejects(api('GET', path), { message: /answered 503.*database_unavailable/s }, path)
    }
    t.equal((await fetch(`${daemon.address}/healthz`)).status, 200, 'the daemon lives')
    t.match(daemon.log(), /"level":"warning".*"msg":"the disk is full"/)

    disk.empty()
    await waitUntil('it serves', async () => (await ready(daemon)).status === 200)
    await api('POST', '/me/requests', request('after'))
    const { requests } = (await api('GET', '/me/requests')) as { requests: { title: string }[] }
    t.strictSame(requests.map(({ title }) => title).toSorted(), ['after', 'before'])
    t.equal(daemon.child.exitCode, null, 'the same daemon, without a manual step')
  },
)

/** The body of a media request, which inserts a row. */
function request(title: string): object {
  return { type: 'movie', tmdb_id: title.length, title }
}

/**
 * Makes the database allocate the next segment of its write-ahead log, one for each switch.
 * @returns its log output
 */
async function panicOf(data: string): Promise<string> {
  const client = new Client({ connectionString: engineConnectionUri(enginePaths(data)) })
  client.on('error', () => {})
  await client.connect()
  try {
    for (;;) {
      await client.query(`select pg_logical_emit_message(true, 'test', 'a change'), pg_switch_wal()`)
    }
  } catch (error) {
    return String(error)
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function ready({ address }: Daemon): Promise<{ status: number; missing: string[] }> {
  const reply = await fetch(`${address}/readyz`)
  const { missing } = (await reply.json()) as { missing: string[] }
  return { status: reply.status, missing }
}
