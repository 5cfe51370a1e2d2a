import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Config } from '../../platform/config/index.ts'
import { hasCluster, RESTORE_JOURNAL } from '../../platform/database/index.ts'
import { createOwnedFolder } from '../../platform/files/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import { processInstanceId, acquireProcessLock } from '../../platform/spawn/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import type { ArchiveHeader } from '../archive/format.ts'
import { checkParts, type Archive } from '../archive/read-archive.ts'
import { requireSpace } from '../space/require-space.ts'
import { backupErrors } from '../errors.ts'
import { withArchive } from '../open/with-archive.ts'
import { loadAndMigrate, type LoadStep } from '../load/load-and-migrate.ts'
import { requireKnownSchema } from '../load/load-archive.ts'
import {
  IDLE_LIMIT_MILLISECONDS,
  openSideCluster,
  removeAbandonedSides,
  untilEngineEnds,
} from '../scratch/open-scratch.ts'
import { rawBytes, SPACE_FACTOR } from '../verify/verify-backup.ts'
import { finishOwnRestore, finishRestore } from './finish-restore.ts'
import { previousFolderName, writeJournal, type Journal, type JournalStep } from '../journal/journal.ts'
import { replaceDatabase } from './replace-database.ts'
import { stageFiles } from './stage-files.ts'

export type RestoreDependencies = {
  config: Config
  log: Logger
  clock: Clock
  /** Connection URI of the external server; undefined for the embedded engine. */
  externalUri: string | undefined
  /** Whether a server on any machine uses the external database. */
  isServed: () => Promise<boolean>
}

/** What has just been done, for progress and for tests of interruptions. */
export type RestoreStep = 'checked' | LoadStep | 'staged' | 'renamed' | JournalStep

export type RestoreInput = {
  path: string
  passphrase?: string | undefined
  /** Replaces existing data, which are kept beside. */
  force: boolean
  /** Leaves `config.toml` as it is. */
  keepsConfig: boolean
  /** An empty database of the external server. It is filled; the database in use is not replaced. */
  intoDatabase?: string | undefined
  signal?: AbortSignal | undefined
  onStep?: ((step: RestoreStep) => void) | undefined
}

/** The result of a restore. */
export type RestoredBackup = {
  header: ArchiveHeader
  tables: number
  rows: number
  /** The schema after the migrations of this release. */
  schemaVersion: number
  /** The folder with the data that were replaced; null if there were none. It can be used as a data directory. */
  previousFolder: string | null
  /** The name that the replaced database of an external server has now. */
  previousDatabase: string | null
}

/**
 * Replaces the database and the files of the data directory with those of a backup. The backup is first checked, loaded into a separate
 * place and compared there; after that, only renames are needed. The existing data are usable until they are renamed, and are kept under
 * their new names.
 * @throws AppError `backup_damaged`, `backup_too_new`, `backup_not_found`, `backup_passphrase`, `backup_no_space`, `restore_not_empty`,
 * `restore_in_use`, `restore_no_right`, `database_unavailable`
 */
export async function restoreBackup(needs: RestoreDependencies, input: RestoreInput): Promise<RestoredBackup> {
  const { dataDirectory } = needs.config
  await mkdir(dataDirectory, { recursive: true, mode: 0o711 })
  const lock = acquireProcessLock({ path: join(dataDirectory, 'serve.lock'), address: 'a restore' })
  if (lock.holder !== undefined) throw inUse(`process ${lock.holder.pid} serves ${dataDirectory}`)
  try {
    await finishRestore({ dataDirectory })
    if (needs.externalUri !== undefined && (await needs.isServed())) throw inUse('a server uses the database')
    return await withArchive({ ...needs, ...input }, async (archive) => {
      await checkArchive(archive, input)
      const { externalUri } = needs
      return externalUri === undefined
        ? restoreEmbedded(needs, { ...input, archive })
        : restoreExternal({ ...needs, externalUri }, { ...input, archive })
    })
  } finally {
    lock.release()
  }
}

function inUse(reason: string) {
  return backupErrors.restore_in_use({
    message: `The database is in use: ${reason}.`,
    hint: 'Stop the server (for example `systemctl stop phlix`), run the command again, and start the server.',
  })
}

/** Everything about the archive that can be known before anything is written. */
export async function checkArchive(
  archive: Archive,
  { signal, onStep }: Pick<RestoreInput, 'signal' | 'onStep'>,
): Promise<void> {
  requireKnownSchema(archive)
  await checkParts(archive, signal)
  onStep?.('checked')
}

type OpenRestore = RestoreInput & { archive: Archive }

async function restoreEmbedded(needs: RestoreDependencies, input: OpenRestore): Promise<RestoredBackup> {
  const { dataDirectory } = needs.config
  if (hasCluster(dataDirectory)) {
    if (!input.force) throw notEmpty(dataDirectory)
    await untilEngineEnds(dataDirectory, IDLE_LIMIT_MILLISECONDS)
  }
  const { journal, schemaVersion } = await stageRestore(needs, input)
  writeJournal(dataDirectory, journal, input.onStep)
  await finishOwnRestore({ dataDirectory, onStep: input.onStep }, journal)
  return { ...describe(input.archive), ...previousOf(dataDirectory, journal), schemaVersion, previousDatabase: null }
}

/**
 * Loads an archive into a new cluster next to the existing one, and writes its files there. Changes nothing else: the renames of the
 * returned journal follow. Without them the next restore removes the folder.
 */
export async function stageRestore(
  needs: Pick<RestoreDependencies, 'config' | 'log' | 'clock'>,
  { archive, keepsConfig, signal, onStep }: Pick<OpenRestore, 'archive' | 'keepsConfig' | 'signal' | 'onStep'>,
): Promise<{ journal: Journal; schemaVersion: number }> {
  const { config, log } = needs
  await requireSpace(config.dataDirectory, {
    bytes: SPACE_FACTOR * rawBytes(archive) + fileBytes(archive),
    floorBytes: config.options['hls.min_disk_space_bytes'],
  })
  const side = await openSideCluster({ config, log })
  try {
    const { connectionUri, folder } = side
    const schemaVersion = await loadAndMigrate({ archive, connectionUri, log, signal, onStep })
    await side.finish()
    const names = await stageFiles({ archive, dataDirectory: config.dataDirectory, side: folder, keepsConfig })
    onStep?.('staged')
    signal?.throwIfAborted()
    const journal = { side: basename(folder), previous: previousFolderName(needs.clock), names: ['postgres', ...names] }
    return { journal, schemaVersion }
  } catch (error) {
    await side.remove()
    throw error
  }
}

async function restoreExternal(
  needs: RestoreDependencies & { externalUri: string },
  input: OpenRestore,
): Promise<RestoredBackup> {
  const { config, externalUri } = needs
  const { dataDirectory } = config
  const folder = join(dataDirectory, `restore-${processInstanceId()}-${randomBytes(3).toString('hex')}`)
  await removeAbandonedSides(dataDirectory)
  const floorBytes = config.options['hls.min_disk_space_bytes']
  await requireSpace(dataDirectory, { bytes: fileBytes(input.archive), floorBytes })
  createOwnedFolder(dataDirectory, folder, 0o711)
  try {
    const names = await stageFiles({ ...input, dataDirectory, side: folder })
    input.onStep?.('staged')
    const { schemaVersion, previousDatabase } = await replaceDatabase({
      connectionUri: externalUri,
      force: input.force,
      intoDatabase: input.intoDatabase,
      load: (connectionUri) => loadAndMigrate({ ...input, connectionUri, log: needs.log }),
    })
    input.onStep?.('renamed')
    const journal = { side: basename(folder), previous: previousFolderName(needs.clock), names }
    writeJournal(dataDirectory, journal, input.onStep)
    await finishOwnRestore({ dataDirectory, onStep: input.onStep }, journal)
    return { ...describe(input.archive), ...previousOf(dataDirectory, journal), schemaVersion, previousDatabase }
  } catch (error) {
    if (!existsSync(join(dataDirectory, RESTORE_JOURNAL))) await rm(folder, { recursive: true, force: true })
    throw error
  }
}

/** Size of the files beside the tables. */
function fileBytes({ manifest }: Archive): number {
  const files = manifest.parts.filter(({ path }) => !path.startsWith('tables/'))
  return files.reduce((sum, { bytes }) => sum + bytes, 0)
}

function notEmpty(place: string) {
  return backupErrors.restore_not_empty({
    message: `A database already exists: ${place}`,
    hint: 'Give --force to replace it; it is kept under another name.',
  })
}

function describe({ header, manifest }: Archive): Pick<RestoredBackup, 'header' | 'tables' | 'rows'> {
  return {
    header,
    tables: manifest.tables.length,
    rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
  }
}

function previousOf(dataDirectory: string, { previous }: Journal): Pick<RestoredBackup, 'previousFolder'> {
  const folder = join(dataDirectory, previous)
  return { previousFolder: existsSync(folder) ? folder : null }
}
