import t from 'tap'
import { openArchive } from '../../../src/core/backups/archive/read-archive.ts'
import { compareTables } from '../../../src/core/backups/load/compare-tables.ts'
import { loadConfig } from '../../../src/core/platform/config/index.ts'
import { openDatabase } from '../../../src/core/platform/database/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import { makeItems } from '../../support/catalogue-items.ts'
import { registerAdmin, startDaemon, stopDaemon, type AdminApi } from '../../support/daemon.ts'
import { testDatabase } from '../../support/database.ts'
import { dataDirectoryInMemory, reachableDirectory } from '../../support/directories.ts'
import { runPhlixProcess, temporaryDataDirectory } from '../../support/phlix.ts'
import { waitUntil } from '../../support/wait-until.ts'

const DURATION_TICKS = 1_000_000_000
const LANES = 4

type Report = { itemId: string; ticks: number }

/** Reports positions without a pause until it is stopped; returns the number of requests so far. */
function startReports(api: AdminApi, sessionId: string, itemIds: readonly string[]) {
  const latest = new Map<string, number>()
  let [isStopped, count] = [false, 0]
  const lane = async (first: number): Promise<void> => {
    for (let number = first; !isStopped; number += LANES) {
      const { itemId, ticks }: Report = {
        itemId: itemIds[number % itemIds.length] ?? '',
        ticks: 200_000_000 + (number % 1000) * 100_000,
      }
      const body = { media_item_id: itemId, position_ticks: ticks, duration_ticks: DURATION_TICKS, is_paused: false }
      await api('POST', `/sessions/${sessionId}/progress`, body)
      latest.set(itemId, ticks)
      count += 1
    }
  }
  const lanes = Promise.all(Array.from({ length: LANES }, (_, index) => lane(index)))
  return {
    count: () => count,
    async stop(): Promise<number> {
      isStopped = true
      await lanes
      return latest.size
    },
  }
}

void t.test('a backup under a load of writes is restored as its snapshot was, and users log in (F-28)', async (t) => {
  const data = await temporaryDataDirectory(t)
  const { environment, pool } = await testDatabase(t)
  const daemon = await startDaemon(data, environment)
  t.teardown(() => stopDaemon(daemon))
  const api = await registerAdmin(daemon)
  const films = Array.from({ length: 40 }, (_, index) => ({ name: `Film ${index}` }))
  const itemIds = await makeItems(pool, reachableDirectory(t), films)
  const { session_id: sessionId } = await api('POST', '/sessions', {})
  const reports = startReports(api, String(sessionId), itemIds)
  await waitUntil('each item has a position', () => reports.count() > 2 * itemIds.length)
  const before = reports.count()
  const made = await runPhlixProcess(['backup:create', '--json', '--data-dir', data], { environment })
  const during = reports.count() - before
  await reports.stop()
  await stopDaemon(daemon)
  t.equal(made.code, 0, made.stderr)
  t.ok(during > 10, `${during} reports while the backup was made`)
  const { path, id } = JSON.parse(made.stdout) as { path: string; id: string }

  const target = dataDirectoryInMemory(t)
  const restored = await runPhlixProcess(['backup:restore', path, '--json', '--data-dir', target])
  t.match(JSON.parse(restored.stdout), { restored: true, id })
  const config = loadConfig({ dataDirectory: target, environment: {} })
  const log = await createLogger(config, { level: 'critical' })
  const database = await openDatabase({ config, log })
  const archive = await openArchive(path)
  t.strictSame(
    await compareTables({ archive, connectionUri: database.connectionUri }),
    [],
    'equal hashes of all tables',
  )
  t.ok(archive.manifest.tables.find(({ name }) => name === 'playback_states')?.rows === itemIds.length)
  await archive.close()
  await database.close()

  const second = await startDaemon(target)
  t.teardown(() => stopDaemon(second))
  const json = { 'content-type': 'application/json' }
  const body = JSON.stringify({ username: 'ann', password: 'correct horse' })
  const login = await fetch(`${second.address}/api/v1/auth/login`, { method: 'POST', headers: json, body })
  t.equal(login.status, 200)
  const { access_token: token } = (await login.json()) as { access_token: string }
  const headers = { authorization: `Bearer ${token}` }
  const reply = await fetch(`${second.address}/api/v1/users/me/continue-watching?limit=50`, { headers })
  const { items } = (await reply.json()) as { items: { id?: string; media_item_id?: string; position_ticks: number }[] }
  const restoredIds = items.map((item) => item.media_item_id ?? item.id ?? '')
  t.strictSame(new Set(restoredIds), new Set(itemIds), 'the same ids')
  t.ok(items.every(({ position_ticks: ticks }) => ticks >= 200_000_000))
})
