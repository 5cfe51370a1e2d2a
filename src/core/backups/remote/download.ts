import { lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Config } from '../../platform/config/index.ts'
import { systemErrorCode } from '../../platform/errors/index.ts'
import { changeOwnerToDataOwner, createOwnedFolder, syncFolder } from '../../platform/files/index.ts'
import { processInstanceId } from '../../platform/spawn/index.ts'
import { openFileSink } from '../archive/sink.ts'
import { backupErrors } from '../errors.ts'
import { backupFolder, PARTIAL_PREFIX, SIDECAR_SUFFIX } from '../folder/backup-file.ts'
import { describeBackup, hashFile, type ListedBackup } from '../folder/list-backups.ts'
import { requireSpace } from '../space/require-space.ts'
import type { Bucket } from './bucket.ts'
import { findInBucket } from './list-bucket.ts'
import { readObject } from './verify-object.ts'

export type DownloadInput = {
  config: Config
  id: string
  /** Default: `backups/` of the data directory. */
  folder?: string | undefined
  signal?: AbortSignal | undefined
  onPart?: ((done: { bytes: number; total: number }) => void) | undefined
}

/**
 * Copies a backup from the bucket into a folder, under a temporary name until it is complete and its checksum matches. The checksum of an
 * encrypted backup is only in its sidecar; without a sidecar the result is `unchecked`. An existing file of that name with different
 * content is not replaced.
 * @throws AppError `backup_not_found`, `backup_damaged`, `backup_exists`, `backup_no_space`, `storage_…`
 */
export async function downloadBackup(bucket: Bucket, input: DownloadInput): Promise<ListedBackup> {
  const { config, id, signal, onPart } = input
  const backup = await findInBucket(bucket, id, signal)
  const { name, bytes, sha256 } = backup
  if (backup.state === 'damaged') throw damagedDownloadError(`${backup.path}: ${backup.problem ?? ''}`)
  const folder = input.folder ?? backupFolder(config)
  const isOwned = folder === backupFolder(config)
  await makeFolder(config, folder)
  const path = join(folder, name)
  if (sha256 !== '') await requireNoOther(path, sha256)
  await requireSpace(folder, { bytes, floorBytes: config.options['hls.min_disk_space_bytes'] })
  const partial = join(folder, `${PARTIAL_PREFIX}${processInstanceId()}-${randomBytes(6).toString('hex')}`)
  const files = { archive: partial, sidecar: `${partial}${SIDECAR_SUFFIX}` }
  try {
    await receive(bucket, { backup, path: partial, signal, onPart })
    const hasSidecar = await writeSidecar(files.sidecar, backup)
    const described = await describeBackup(files.archive, name)
    if (described.state === 'damaged') throw damagedDownloadError(`${backup.path}: ${described.problem ?? ''}`)
    await requireNoOther(path, described.sha256)
    if (isOwned)
      for (const made of hasSidecar ? Object.values(files) : [partial])
        changeOwnerToDataOwner(config.dataDirectory, made)
    // The archive first: a sidecar alone would describe an archive that is not there.
    await rename(files.archive, path)
    if (hasSidecar) await rename(files.sidecar, `${path}${SIDECAR_SUFFIX}`)
    syncFolder(folder)
    return { ...described, path }
  } catch (error) {
    for (const made of Object.values(files)) await rm(made, { force: true })
    throw error
  }
}

async function makeFolder(config: Config, folder: string): Promise<void> {
  if (folder === backupFolder(config)) createOwnedFolder(config.dataDirectory, folder, 0o700)
  else await mkdir(folder, { recursive: true, mode: 0o700 })
}

/** @returns whether a sidecar was written: not for an unencrypted archive, nor for one whose header is unknown */
async function writeSidecar(path: string, { isEncrypted, header, bytes, sha256 }: ListedBackup): Promise<boolean> {
  if (!isEncrypted || header === null) return false
  await writeFile(path, `${JSON.stringify({ header, bytes, sha256 }, null, 1)}\n`, { mode: 0o600, flush: true })
  return true
}

type Received = Pick<DownloadInput, 'signal' | 'onPart'> & { backup: ListedBackup; path: string }

/** @throws AppError `backup_damaged` if the content does not match the recorded checksum */
async function receive({ storage, prefix }: Bucket, { backup, path, signal, onPart }: Received): Promise<void> {
  const { name, bytes, sha256 } = backup
  const sink = await openFileSink(path)
  try {
    let done = 0
    for await (const chunk of readObject(storage, { key: `${prefix}${name}`, bytes, signal })) {
      await sink.write(chunk)
      onPart?.({ bytes: (done += chunk.length), total: bytes })
    }
    const written = await sink.finish()
    const isSame = sha256 === '' || written.sha256 === sha256
    if (!isSame) throw damagedDownloadError(`${backup.path} has SHA-256 ${written.sha256} instead of ${sha256}`)
  } catch (error) {
    await sink.abandon()
    throw error
  }
}

/**
 * @throws AppError `backup_exists` if the folder has a file of that name with different content, even a damaged one: the administrator must
 * decide what to do with it
 */
async function requireNoOther(path: string, sha256: string): Promise<void> {
  const facts = await lstat(path).catch((error: unknown) => {
    if (systemErrorCode(error) !== 'ENOENT') throw error
    return undefined
  })
  if (facts === undefined || (facts.isFile() && (await hashFile(path)) === sha256)) return
  throw backupErrors.backup_exists({
    message: `${path} already exists, and its content differs from that of the backup in the bucket`,
    hint: 'Move it elsewhere, or choose another folder with --to.',
  })
}

function damagedDownloadError(message: string): Error {
  return backupErrors.backup_damaged({ message })
}
