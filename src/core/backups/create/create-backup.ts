import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import { releaseVersion, type Config } from '../../platform/config/index.ts'
import { AppError, describeError, systemErrorCode } from '../../platform/errors/index.ts'
import { changeOwnerToDataOwner, createOwnedFolder, syncFolder } from '../../platform/files/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import { processInstanceId } from '../../platform/spawn/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { openEncryptedSink } from '../archive/encryption.ts'
import { FORMAT, segmentPart, type ArchiveHeader, type ArchiveTable } from '../archive/format.ts'
import { openFileSink } from '../archive/sink.ts'
import { writeArchive, type ArchiveWriter } from '../archive/write-archive.ts'
import { backupErrors } from '../errors.ts'
import { backupFileName, backupFolder, isBackupName, PARTIAL_PREFIX, SIDECAR_SUFFIX } from '../folder/backup-file.ts'
import { allocateSegmentBuffers, exportTable } from '../snapshot/export-table.ts'
import { withSnapshot, type Snapshot } from '../snapshot/with-snapshot.ts'
import { listDataFiles, type DataFile } from './data-files.ts'
import { removeLeftovers } from '../scratch/leftovers.ts'
import { lockBackups } from './lock.ts'
import { requireSpace } from '../space/require-space.ts'

export type CreateBackupDependencies = { config: Config; clock: Clock; log: Logger; connectionUri: string }

/** What has just been done, for progress. */
export type CreateBackupStep = { step: 'table' | 'segment' | 'files' | 'synced' | 'renamed'; name: string }

export type CreateInput = {
  label?: string | undefined
  /** Another folder than `backups/` of the data directory. */
  folder?: string | undefined
  includesArtwork?: boolean | undefined
  passphrase?: string | undefined
  signal?: AbortSignal | undefined
  onStep?: ((step: CreateBackupStep) => void) | undefined
}

export type CreatedBackup = {
  id: string
  path: string
  bytes: number
  sha256: string
  createdAt: Date
  label: string | null
  schemaVersion: number
  tables: readonly ArchiveTable[]
  /** Number of other files. */
  fileCount: number
  /** Files that could not be stored: symbolic links, and those that disappeared or became shorter while they were read. */
  skipped: readonly string[]
  isEncrypted: boolean
}

const ZSTD_LEVEL = 3
const MAX_LABEL = 200
/** The size of the next backup is estimated as this factor times the size of the last one. */
const GROWTH = 1.5

const compress = promisify(zstdCompress)

/**
 * Writes all tables of one snapshot and the files of the data directory into one archive. It is written under a hidden name and renamed
 * when it is complete and on the disk; after a failure nothing is left.
 * @throws AppError `backup_busy`, `backup_no_space`, `backup_timeout`, `backup_write_failed`, `database_unavailable`
 */
export async function createBackup(needs: CreateBackupDependencies, input: CreateInput = {}): Promise<CreatedBackup> {
  const lock = await lockBackups(needs)
  try {
    const folder = input.folder ?? backupFolder(needs.config)
    return await withWriteErrors(folder, async () => {
      if (input.folder === undefined) createOwnedFolder(needs.config.dataDirectory, folder, 0o700)
      else await mkdir(folder, { recursive: true, mode: 0o700 })
      await removeLeftovers(needs.config)
      return writeBackup(needs, { ...input, folder })
    })
  } finally {
    await lock.release()
  }
}

async function writeBackup(
  needs: CreateBackupDependencies,
  input: CreateInput & { folder: string },
): Promise<CreatedBackup> {
  const { config, clock, connectionUri } = needs
  const { folder, label, passphrase, signal, onStep } = input
  const floorBytes = config.options['hls.min_disk_space_bytes']
  const listFiles = () => listDataFiles(config, { includesArtwork: input.includesArtwork === true })
  const last = await lastSize(folder)
  await requireSpace(folder, { bytes: Math.max(last * GROWTH, sizeOf((await listFiles()).files)), floorBytes })
  const [id, createdAt] = [randomBytes(6).toString('hex'), clock.now()]
  const partial = join(folder, `${PARTIAL_PREFIX}${processInstanceId()}-${id}`)
  const isEncrypted = passphrase !== undefined
  const sink = isEncrypted ? await openEncryptedSink(partial, passphrase) : await openFileSink(partial)
  try {
    const written = await withSnapshot({ connectionUri }, async (snapshot) => {
      const header = headerOf({ id, createdAt, label, snapshot })
      const writer = await writeArchive(sink, { header, spool: `${partial}-file` })
      const tables: ArchiveTable[] = []
      const buffers = allocateSegmentBuffers()
      for (const table of snapshot.tables) {
        const take = async (content: Buffer, number: number): Promise<void> => {
          const stored = await compress(content, { params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL } })
          await requireSpace(folder, { bytes: stored.length, floorBytes })
          await writer.add(segmentPart(table.name, number), stored)
          onStep?.({ step: 'segment', name: table.name })
        }
        tables.push(await exportTable(snapshot.client, table, { buffers, take, signal }))
        onStep?.({ step: 'table', name: table.name })
      }
      // The files are listed as late as possible, while the snapshot is still open, so that they correspond to its rows.
      const { files, skipped } = await listFiles()
      await requireSpace(folder, { bytes: sizeOf(files), floorBytes })
      const changed = await addFiles(writer, files, signal)
      onStep?.({ step: 'files', name: folder })
      const fileCount = files.length - changed.length
      return { header, tables, fileCount, skipped: [...skipped, ...changed], ...(await writer.finish(tables)) }
    })
    onStep?.({ step: 'synced', name: folder })
    signal?.throwIfAborted()
    const name = backupFileName({ id, createdAt, isEncrypted })
    const { header, tables, fileCount, skipped, bytes, sha256 } = written
    const sidecar = join(folder, `${name}${SIDECAR_SUFFIX}`)
    try {
      if (isEncrypted) await writeSidecar(sidecar, { header, bytes, sha256 })
      if (folder === backupFolder(config)) {
        for (const path of isEncrypted ? [sidecar, partial] : [partial])
          changeOwnerToDataOwner(config.dataDirectory, path)
      }
      await rename(partial, join(folder, name))
    } catch (error) {
      if (isEncrypted) await rm(sidecar, { force: true })
      throw error
    }
    syncFolder(folder)
    onStep?.({ step: 'renamed', name })
    return {
      id,
      path: join(folder, name),
      bytes,
      sha256,
      createdAt,
      label: header.label,
      schemaVersion: header.schema_version,
      tables,
      fileCount,
      skipped,
      isEncrypted,
    }
  } catch (error) {
    await sink.abandon().catch(() => {})
    await rm(partial, { force: true })
    throw error
  }
}

type HeaderInput = { id: string; createdAt: Date; label: string | undefined; snapshot: Snapshot }

function headerOf({ id, createdAt, label, snapshot }: HeaderInput): ArchiveHeader {
  return {
    product: 'phlix',
    format: FORMAT,
    id,
    created_at: createdAt.toISOString(),
    phlix_version: releaseVersion(),
    schema_version: snapshot.schemaVersion,
    postgresql_version: snapshot.serverVersion,
    label: label === undefined || label === '' ? null : label.slice(0, MAX_LABEL),
  }
}

function sizeOf(files: readonly DataFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** @returns the paths of the files that have disappeared or become shorter */
async function addFiles(
  writer: ArchiveWriter,
  files: readonly DataFile[],
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const changed: string[] = []
  for (const { part, path, mayBeLink } of files) {
    signal?.throwIfAborted()
    if (!(await writer.addFile(part, path, { mayBeLink }))) changed.push(path)
  }
  return changed
}

/** The size of the largest backup of the folder; 0 without one. An entry that cannot be read does not count. */
async function lastSize(folder: string): Promise<number> {
  const names = (await readdir(folder)).filter(isBackupName)
  const results = await Promise.allSettled(names.map((name) => stat(join(folder, name))))
  return Math.max(
    0,
    ...results.map((entry) => (entry.status === 'fulfilled' && entry.value.isFile() ? entry.value.size : 0)),
  )
}

/** What `list` shows of an encrypted archive, which it cannot read. */
async function writeSidecar(
  path: string,
  content: { header: ArchiveHeader; bytes: number; sha256: string },
): Promise<void> {
  await writeFile(path, `${JSON.stringify(content, null, 1)}\n`, { mode: 0o600, flush: true })
}

const WRITE_CODES = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EFBIG', 'ENOTDIR', 'ESTALE'])

async function withWriteErrors<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const code = systemErrorCode(error)
    if (error instanceof AppError || code === undefined || !WRITE_CODES.has(code)) throw error
    throw backupErrors.backup_write_failed({ message: `${folder}: ${describeError(error)}`, cause: error })
  }
}
