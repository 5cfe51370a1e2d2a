import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { finishRestore, listBackups, upgradeStoppedEngine } from '../../../src/core/backups/index.ts'
import { loadConfig } from '../../../src/core/platform/config/index.ts'
import {
  ENGINE_MAJOR_VERSION,
  openDatabase,
  withDedicatedConnection,
} from '../../../src/core/platform/database/index.ts'
import { freeSpaceBytes } from '../../../src/core/platform/files/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import { systemClock } from '../../../src/core/platform/time/index.ts'
import { smallDisk, unlessMountable } from '../../support/disks.ts'
import {
  copyOfDirectory,
  directoryOfFirstRelease,
  killUpgrade,
  OLDER_MAJOR,
  useOlderCluster,
} from '../../support/older-cluster.ts'

const log = await createLogger(loadConfig({ environment: {} }), { level: 'critical' })
const older = await directoryOfFirstRelease(t, log)
const MEBIBYTE = 1024 * 1024

function needsOf(dataDirectory: string, flags: Record<string, string> = {}) {
  return { config: loadConfig({ dataDirectory, environment: {}, flags }), log, clock: systemClock }
}

function versionOf(folder: string): string {
  return readFileSync(join(folder, 'postgres', 'PG_VERSION'), 'utf8').trim()
}

function namesIn(dataDirectory: string, prefix: string): string[] {
  return readdirSync(dataDirectory).filter((name) => name.startsWith(prefix))
}

for (const step of ['journal', 'moved-new']) {
  void t.test(`after kill -9 at the stage ${step} the next start finishes the upgrade`, async (t) => {
    const dataDirectory = copyOfDirectory(t, older.dataDirectory)
    killUpgrade(t, { dataDirectory, step })
    const needs = needsOf(dataDirectory)
    t.equal(versionOf(dataDirectory), step === 'journal' ? OLDER_MAJOR : ENGINE_MAJOR_VERSION)
    t.equal(await finishRestore({ dataDirectory }), true)
    t.equal(await upgradeStoppedEngine(needs), undefined, 'there is nothing left to do')
    const database = await openDatabase(needs)
    const { rows } = await withDedicatedConnection(database.connectionUri, (client) =>
      client.query('select name from media_items order by name'),
    )
    t.strictSame(rows, [{ name: 'Heat' }, { name: 'Ran' }])
    await database.close()
    t.strictSame(
      namesIn(dataDirectory, 'previous').map((name) => versionOf(join(dataDirectory, name))),
      [OLDER_MAJOR],
    )
    t.strictSame(namesIn(dataDirectory, 'restore'), [])
    t.equal((await listBackups(needs)).length, 1)
  })
}

void t.test('upgrades that fail or are killed again and again leave no more than one backup', async (t) => {
  const dataDirectory = copyOfDirectory(t, older.dataDirectory)
  const needs = needsOf(dataDirectory)
  const failing = upgradeStoppedEngine(needs, {
    onStep: (step) => {
      if (step === 'table') throw new Error('the new cluster fails')
    },
  })
  await t.rejects(failing, /the new cluster fails/)
  t.strictSame(await listBackups(needs), [], 'the old cluster has all that the backup has')
  for (let attempt = 0; attempt < 2; attempt += 1) {
    killUpgrade(t, { dataDirectory, step: 'saved' })
    t.equal((await listBackups(needs)).length, 1)
  }
  t.equal(versionOf(dataDirectory), OLDER_MAJOR)
  t.strictSame(namesIn(dataDirectory, 'previous'), [])
})

void t.test(
  'an upgrade without the space for a second cluster is refused, if possible before its backup',
  { skip: unlessMountable() },
  async (t) => {
    const { folder: dataDirectory } = smallDisk(t, 1024)
    execFileSync('cp', ['-a', join(older.dataDirectory, 'postgres'), dataDirectory])
    // Rows that are small on the disk and in a backup, and large as text.
    const ballast = `create table ballast as select repeat('x', ${MEBIBYTE}) as content from generate_series(1, 64)`
    await useOlderCluster(dataDirectory, {
      log,
      use: (connectionUri) => withDedicatedConnection(connectionUri, (client) => client.query(ballast)),
    })
    const attempt = async (usableBytes: number): Promise<string[]> => {
      const floorBytes = (await freeSpaceBytes(dataDirectory)) - usableBytes
      const needs = needsOf(dataDirectory, { 'hls.min_disk_space_bytes': String(floorBytes) })
      const steps: string[] = []
      const upgrade = upgradeStoppedEngine(needs, { onStep: (step) => steps.push(step) })
      await t.rejects(upgrade, { code: 'backup_no_space' })
      t.strictSame(await listBackups(needs), [])
      return steps
    }
    t.strictSame(await attempt(6 * MEBIBYTE), [], 'less than the old cluster has')
    t.strictSame(await attempt(100 * MEBIBYTE), ['saved'], 'less than three times the text of its rows')
    t.equal(versionOf(dataDirectory), OLDER_MAJOR)
    t.strictSame([...namesIn(dataDirectory, 'restore'), ...namesIn(dataDirectory, 'previous')], [])
  },
)
