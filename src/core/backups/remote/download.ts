import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Config } from '../../platform/config/index.ts'
import { giveToOwner, makeOwnedFolder, syncFolder } from '../../platform/files/index.ts'
import { objectStorageErrors } from '../../platform/object-storage/index.ts'
import { processMark } from '../../platform/spawn/index.ts'
import { openFileSink } from '../archive/sink.ts'
import { backupErrors } from '../errors.ts'
import { backupFolder, PARTIAL_PREFIX, SIDECAR_SUFFIX } from '../folder/backup-file.ts'
import { describeBackup, type ListedBackup } from '../folder/list-backups.ts'
import { requireSpace } from '../space/space.ts'
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
 * Copies a backup of the bucket into a folder, under a hidden name until it is complete and its checksum is right.
 * @throws AppError `backup_not_found`, `backup_damaged`, `backup_no_space`, `storage_…`
 */
export async function downloadBackup(bucket: Bucket, input: DownloadInput): Promise<ListedBackup> {
  const { config, id, signal, onPart } = input
  const found = await findInBucket(bucket, id, signal)
  const { name, bytes, sha256, header } = found
  if (found.state === 'damaged') throw backupErrors.backup_damaged({ message: `${name}: ${found.problem ?? ''}` })
  const folder = input.folder ?? backupFolder(config)
  const isOwned = folder === backupFolder(config)
  if (isOwned) makeOwnedFolder(config.dataDirectory, folder, 0o700)
  else await mkdir(folder, { recursive: true, mode: 0o700 })
  await requireSpace(folder, { bytes, floorBytes: config.options['hls.min_disk_space_bytes'] })
  const path = join(folder, name)
  const partial = join(folder, `${PARTIAL_PREFIX}${processMark()}-${randomBytes(6).toString('hex')}`)
  const sink = await openFileSink(partial)
  try {
    let done = 0
    for await (const chunk of readObject(bucket.storage, { key: `${bucket.prefix}${name}`, bytes, signal })) {
      await sink.write(chunk)
      onPart?.({ bytes: (done += chunk.length), total: bytes })
    }
    const written = await sink.finish()
    if (sha256 !== '' && written.sha256 !== sha256) {
      throw objectStorageErrors.storage_checksum({
        message: `${found.path} has SHA-256 ${written.sha256} instead of ${sha256}.`,
      })
    }
    const sidecar = `${path}${SIDECAR_SUFFIX}`
    const withSidecar = found.isEncrypted && header !== null
    if (withSidecar) {
      await writeFile(sidecar, `${JSON.stringify({ header, bytes, sha256 }, null, 1)}\n`, { mode: 0o600, flush: true })
    }
    if (isOwned)
      for (const made of withSidecar ? [sidecar, partial] : [partial]) giveToOwner(config.dataDirectory, made)
    await rename(partial, path)
    syncFolder(folder)
  } catch (error) {
    await sink.abandon()
    await rm(partial, { force: true })
    throw error
  }
  return describeBackup(path, name)
}
