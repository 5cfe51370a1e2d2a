import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'slonik'
import type { Test } from 'tap'
import { createBackup, finishRestore, listBackups, restoreBackup } from '../../../src/core/backups/index.ts'
import { loadConfig, type Config } from '../../../src/core/platform/config/index.ts'
import { openDatabase, type OpenDatabase } from '../../../src/core/platform/database/index.ts'
import { systemErrorCode } from '../../../src/core/platform/errors/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import { systemClock } from '../../../src/core/platform/time/index.ts'
import { makeUser } from '../../support/catalogue-items.ts'
import { dataDirectoryInMemory, reachableDirectory } from '../../support/directories.ts'
import { smallDisk } from '../../support/disks.ts'
import { copyPreparedCluster } from '../../support/prepared-cluster.ts'
import type { SeededRandom } from '../../support/seeded-random.ts'

const SCRIPT = join(import.meta.dirname, 'killed-backup.ts')
/** Bytes that are not compressed, so that small disks become full. */
const PLUGIN_MEBIBYTES = 6

const log = await createLogger(loadConfig({ environment: {} }), { level: 'emergency' })

const configOf = (dataDirectory: string): Config =>
  loadConfig({ dataDirectory, environment: { HLS_MIN_DISK_SPACE_BYTES: '0' } })

async function withDatabase<T>(config: Config, work: (database: OpenDatabase) => Promise<T>): Promise<T> {
  const database = await openDatabase({ config, log, statementTimeoutSeconds: 60 })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** A data directory with one account. */
async function directoryOf(username: string, dataDirectory: string): Promise<Config> {
  const config = configOf(dataDirectory)
  await copyPreparedCluster(dataDirectory)
  await withDatabase(config, ({ pool }) => makeUser(pool, username))
  return config
}

const usersIn = (config: Config) =>
  withDatabase(config, ({ pool }) => pool.anyFirst(sql.unsafe`select username from users order by 1`))

/** The step at which it was killed, or the number of all steps if it was not. */
function runUntil(words: string[]): { isKilled: boolean; steps: number } {
  const { signal, status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...words])
  if (signal !== 'SIGKILL' && status !== 0) throw new Error(`${words.join(' ')}: ${stderr.toString()}`)
  return { isKilled: signal === 'SIGKILL', steps: Number(stdout.toString()) }
}

type Counts = { random: SeededRandom; kills: number; fullDisks: number }

/** Kills the making and the restoring of backups, and fills their disks, at random moments. */
export async function interruptBackups(t: Test, { random, kills, fullDisks }: Counts): Promise<void> {
  const source = await directoryOf('ada', dataDirectoryInMemory(t))
  mkdirSync(join(source.dataDirectory, 'plugins'))
  writeFileSync(join(source.dataDirectory, 'plugins/random.bin'), randomBytes(PLUGIN_MEBIBYTES * 1024 * 1024))
  const { steps: createSteps } = runUntil(['create', source.dataDirectory, '', '0'])
  const [whole] = await listBackups({ config: source })
  const path = whole?.path ?? ''

  for (let kill = 0; kill < kills; kill += 1) {
    const step = 1 + random.below(createSteps)
    t.ok(runUntil(['create', source.dataDirectory, '', String(step)]).isKilled, `create, step ${step}`)
    const states = (await listBackups({ config: source })).map(({ state }) => state)
    t.ok(
      states.every((state) => state === 'valid'),
      `after step ${step} no partial backup is listed`,
    )
  }
  await withDatabase(source, ({ connectionUri }) =>
    createBackup({ config: source, log, clock: systemClock, connectionUri }),
  )
  const left = readdirSync(join(source.dataDirectory, 'backups')).filter((name) => name.startsWith('.'))
  t.strictSame(left, [], 'the next backup removes what killed ones have left')

  const target = await directoryOf('bob', dataDirectoryInMemory(t))
  const { steps: restoreSteps } = runUntil([
    'restore',
    (await directoryOf('bob', dataDirectoryInMemory(t))).dataDirectory,
    path,
    '0',
  ])
  for (let kill = 0; kill < kills; kill += 1) {
    const before = await usersIn(target)
    const step = 1 + random.below(restoreSteps)
    t.ok(runUntil(['restore', target.dataDirectory, path, String(step)]).isKilled, `restore, step ${step}`)
    const isFinished = await finishRestore({ dataDirectory: target.dataDirectory })
    const expected = isFinished ? ['ada'] : before
    t.strictSame(
      await usersIn(target),
      expected,
      `after step ${step} the data are ${isFinished ? 'the new' : 'the old'} ones`,
    )
  }
  await fillDisks(t, { random, fullDisks, source, path })
}

type Full = Omit<Counts, 'kills'> & { source: Config; path: string }

async function fillDisks(t: Test, { random, fullDisks, source, path }: Full): Promise<void> {
  for (let count = 0; count < fullDisks; count += 1) {
    const { folder } = smallDisk(t, 1 + random.below(PLUGIN_MEBIBYTES))
    const create = withDatabase(source, ({ connectionUri }) =>
      createBackup({ config: source, log, clock: systemClock, connectionUri }, { folder }),
    )
    await t.rejects(create, { code: /^backup_(?:no_space|write_failed)$/ })
    t.strictSame(readdirSync(folder), [], 'nothing is left on the full disk')
  }
  for (let count = 0; count < fullDisks; count += 1) {
    const parent = reachableDirectory(t)
    const old = await directoryOf('bob', join(parent, makeFolder(parent)))
    const bytes = Number(execFileSync('du', ['-sb', old.dataDirectory]).toString().split('\t')[0])
    const { folder } = smallDisk(t, Math.ceil((bytes * 1.1) / 1024 ** 2) + random.below(80))
    execFileSync('cp', ['-a', `${old.dataDirectory}/.`, folder])
    chmodSync(folder, 0o755)
    const config = configOf(folder)
    const needs = { config, log, clock: systemClock, externalUri: undefined, isServed: async () => false }
    const free = statfsSync(folder)
    const isRestored = await restoreBackup(needs, { path, force: true, keepsConfig: false }).then(
      () => true,
      (error: unknown) => {
        t.ok(
          error instanceof Error,
          `${free.bavail * free.bsize} bytes free: ${String(error)} ${systemErrorCode(error) ?? ''}`,
        )
        return false
      },
    )
    t.equal(await finishRestore({ dataDirectory: folder }), false)
    t.strictSame(await usersIn(config), [isRestored ? 'ada' : 'bob'], 'the data are whole')
  }
}

function makeFolder(parent: string): string {
  mkdirSync(join(parent, 'data'))
  return 'data'
}
