import { basename, join } from 'node:path'
import type { Config } from '../../platform/config/index.ts'
import {
  checkMigrations,
  ENGINE_MAJOR_VERSION,
  findOlderVersion,
  migrate,
  findOlderClusterVersion,
  withDedicatedConnection,
  type EngineVersion,
} from '../../platform/database/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import { acquireProcessLock } from '../../platform/spawn/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { checkParts } from '../archive/read-archive.ts'
import { createBackup } from '../create/create-backup.ts'
import { backupErrors } from '../errors.ts'
import { previousFolderName, writeJournal, type Journal, type JournalStep } from '../journal/journal.ts'
import { loadAndMigrate, type LoadStep } from '../load/load-and-migrate.ts'
import { createWarningLogger } from '../load/load-archive.ts'
import { configuredPassphrase } from '../passphrase.ts'
import { withArchive } from '../open/with-archive.ts'
import { selectDatabaseBytes } from '../queries.ts'
import { removeFiles } from '../retention/prune-backups.ts'
import { finishOwnRestore } from '../restore/finish-restore.ts'
import { openOlderCluster } from '../scratch/open-older-cluster.ts'
import { openSideCluster, type SideCluster } from '../scratch/open-scratch.ts'
import { requireSpace } from '../space/require-space.ts'
import { rawBytes, SPACE_FACTOR } from '../verify/verify-backup.ts'
import { removeUpgradeBackupRecord, recordUpgradeBackup, removeAbandonedBackup } from './abandoned-backup.ts'
import { markReplacedCluster } from './replaced-clusters.ts'

type Dependencies = { config: Config; log: Logger; clock: Clock }

/** What has just been done, for tests of interruptions. */
export type UpgradeStep = 'saved' | LoadStep | 'staged' | JournalStep

type Input = {
  /** A folder with the program `postgres` of the older version. Default: the package that the release contains. */
  oldPrograms?: string | undefined
  /** Another folder of migrations than that of the server: the database of a hub has its own. */
  directory?: string | undefined
  signal?: AbortSignal | undefined
  onStep?: ((step: UpgradeStep) => void) | undefined
}

export type EngineUpgrade = {
  /** Major versions of PostgreSQL. */
  from: string
  to: string
  /** The backup that was made of the old cluster; null for a cluster without tables. */
  backupPath: string | null
  /** The folder with the old cluster. */
  previousFolder: string
}

/** Like `upgradeEngine`, for a command: no server may start meanwhile. @throws AppError `restore_in_use` while a server runs */
export async function upgradeStoppedEngine(needs: Dependencies, input: Input = {}): Promise<EngineUpgrade | undefined> {
  const { dataDirectory } = needs.config
  if (!needsUpgrade(needs.config)) return undefined
  const lock = acquireProcessLock({ path: join(dataDirectory, 'serve.lock'), address: 'an upgrade of the database' })
  if (lock.holder !== undefined) {
    throw backupErrors.restore_in_use({
      message: `Process ${lock.holder.pid} uses ${dataDirectory}: ${lock.holder.address}.`,
      hint: 'A server upgrades the database itself when it starts.',
    })
  }
  try {
    return await upgradeEngine(needs, input)
  } finally {
    lock.release()
  }
}

/**
 * Moves the data of an embedded cluster of an older major version of PostgreSQL into a new cluster. The old programs make a backup. The programs
 * of this release restore it into a new cluster beside the old one, compare it, and apply the pending migrations. Then the clusters are exchanged
 * by renames. The old cluster is not changed, and is kept. The caller holds the lock of the data directory.
 * @returns undefined if there is nothing to upgrade
 * @throws AppError `engine_version` if the old programs are missing; as `createBackup` and `loadArchive` do
 */
export async function upgradeEngine(needs: Dependencies, input: Input = {}): Promise<EngineUpgrade | undefined> {
  const { config, log, clock } = needs
  const { dataDirectory } = config
  const from = needsUpgrade(config)
  if (from === undefined) return undefined
  const version = await findOlderVersion(from, input.oldPrograms)
  log.notice({ from, to: ENGINE_MAJOR_VERSION }, 'upgrading the embedded database')
  await removeAbandonedBackup(config)
  const backupPath = await saveOlderCluster(needs, { ...input, version })
  try {
    if (backupPath !== null) recordUpgradeBackup(config, backupPath)
    input.onStep?.('saved')
    const side = await stageCluster(needs, { ...input, backupPath })
    const journal: Journal = { side: basename(side.folder), previous: previousFolderName(clock), names: ['postgres'] }
    const previousFolder = join(dataDirectory, journal.previous)
    markReplacedCluster({ dataDirectory, folder: previousFolder, from })
    input.onStep?.('staged')
    removeUpgradeBackupRecord(config)
    writeJournal(dataDirectory, journal, input.onStep)
    await finishOwnRestore({ dataDirectory, onStep: input.onStep }, journal)
    log.notice({ from, to: ENGINE_MAJOR_VERSION, backupPath, previousFolder }, 'upgraded the embedded database')
    return { from, to: ENGINE_MAJOR_VERSION, backupPath, previousFolder }
  } catch (error) {
    // With the old cluster in place the next attempt makes another backup.
    if (backupPath !== null && needsUpgrade(config) !== undefined) await removeFiles({ path: backupPath })
    removeUpgradeBackupRecord(config)
    throw error
  }
}

function needsUpgrade({ options, dataDirectory }: Config): string | undefined {
  return options['database.host'] === undefined ? findOlderClusterVersion(dataDirectory) : undefined
}

type Saving = Pick<Input, 'directory' | 'signal'> & { version: EngineVersion }

/** @returns the path of a backup; null if the cluster has no tables, because its first start was killed */
async function saveOlderCluster(needs: Dependencies, { directory, signal, version }: Saving): Promise<string | null> {
  const { config, log } = needs
  const older = await openOlderCluster({ config, log, version })
  try {
    const { connectionUri } = older
    const { schemaVersion } = await checkMigrations({ connectionUri, log, directory })
    if (schemaVersion === 0) return null
    // Otherwise a small disk would be noticed only after the backup, which may take long.
    await requireSpaceFor(needs, await withDedicatedConnection(connectionUri, selectDatabaseBytes))
    const label = `before the upgrade of PostgreSQL ${version.major} to ${ENGINE_MAJOR_VERSION}`
    const passphrase = await configuredPassphrase({ config })
    const { path } = await createBackup({ ...needs, connectionUri }, { label, passphrase, signal })
    return path
  } finally {
    await older.close()
  }
}

type Staging = Pick<Input, 'directory' | 'signal' | 'onStep'> & { backupPath: string | null }

/** A new cluster with the data of the backup, which is on the disk and whose server has ended. */
async function stageCluster(needs: Dependencies, { backupPath, ...input }: Staging): Promise<SideCluster> {
  const { config, log } = needs
  const { signal } = input
  if (backupPath === null) {
    const fill = ({ connectionUri }: SideCluster) => migrate({ ...input, connectionUri, log: createWarningLogger(log) })
    return fillCluster(needs, { signal, fill })
  }
  const passphrase = await configuredPassphrase({ config })
  return withArchive({ config, path: backupPath, passphrase, signal }, async (archive) => {
    await checkParts(archive, signal)
    await requireSpaceFor(needs, SPACE_FACTOR * rawBytes(archive))
    const fill = ({ connectionUri }: SideCluster) => loadAndMigrate({ ...input, archive, connectionUri, log })
    return fillCluster(needs, { signal, fill })
  })
}

type Filling = Pick<Input, 'signal'> & { fill: (side: SideCluster) => Promise<unknown> }

async function fillCluster(needs: Dependencies, { signal, fill }: Filling): Promise<SideCluster> {
  const side = await openSideCluster(needs)
  try {
    await fill(side)
    await side.finish()
    signal?.throwIfAborted()
    return side
  } catch (error) {
    await side.remove()
    throw error
  }
}

function requireSpaceFor({ config }: Dependencies, bytes: number): Promise<void> {
  return requireSpace(config.dataDirectory, { bytes, floorBytes: config.options['hls.min_disk_space_bytes'] })
}
