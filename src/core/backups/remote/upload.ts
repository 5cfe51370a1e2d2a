import { createHash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import type { Config } from '../../platform/config/index.ts'
import { describeError } from '../../platform/errors/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import { objectStorageErrors, type UploadedPart } from '../../platform/object-storage/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { backupErrors } from '../errors.ts'
import { readBytes } from '../archive/read-bytes.ts'
import { originalName, SIDECAR_SUFFIX } from '../folder/backup-file.ts'
import type { ListedBackup } from '../folder/list-backups.ts'
import type { Bucket } from './bucket.ts'
import { readOrCreateInstallationId } from './installation-id.ts'
import { isArchiveKey, readSidecar } from './list-bucket.ts'
import { computePartBytes } from './part-size.ts'
import { verifyObject } from './verify-object.ts'

type Dependencies = { config: Pick<Config, 'dataDirectory'>; clock: Clock; log: Logger }

export type UploadInput = {
  /** A valid backup of a folder. */
  backup: ListedBackup
  signal?: AbortSignal | undefined
  onPart?: ((done: { bytes: number; total: number }) => void) | undefined
}

/** A backup in the bucket. `name`: in the bucket. `isNew`: false if the bucket had it already. */
export type UploadedBackup = { name: string; location: string; bytes: number; sha256: string; isNew: boolean }

/** After this time an unfinished upload is assumed to be from a killed process. Uploads of other servers on slow lines may take days. */
const ABANDONED_MILLISECONDS = 7 * 86_400_000

/**
 * Copies an archive into the bucket, in parts; one part at a time is in memory. The object appears when it is complete. Its size and
 * checksum are compared afterwards; then its sidecar is uploaded. An object without a sidecar is not treated as a backup. The object has
 * the name that the archive got when it was made, so that renamed files of the same name do not replace each other.
 * @throws AppError `storage_…`, `backup_damaged`, `backup_exists`, `backup_installation_id`; the parts are removed then
 */
export async function uploadBackup(
  bucket: Bucket,
  { config, clock, log }: Dependencies,
  { backup, signal, onPart }: UploadInput,
): Promise<UploadedBackup> {
  const { bytes, sha256, header } = backup
  if (backup.state !== 'valid' || header === null) {
    throw backupErrors.backup_damaged({ message: `${backup.name} is not uploaded: ${backup.problem ?? backup.state}` })
  }
  const name = originalName(backup)
  const key = `${bucket.prefix}${name}`
  const done = { name, location: bucket.locationOf(key), bytes, sha256 }
  if (await hasObject(bucket, { key, bytes, sha256, signal })) return { ...done, isNew: false }
  const installationId = await readOrCreateInstallationId(config)
  await abortAbandoned(bucket, { clock, log, signal })
  const file = await open(backup.path, 'r')
  let etag: string
  try {
    etag = await sendContent(bucket, { file, key, bytes, sha256, signal, onPart })
  } finally {
    await file.close()
  }
  await verifyObject(bucket.storage, { key, bytes, sha256, etag, signal })
  const sidecar = Buffer.from(
    `${JSON.stringify({ header, bytes, sha256, installation_id: installationId }, null, 1)}\n`,
  )
  await bucket.storage.put(`${key}${SIDECAR_SUFFIX}`, sidecar, signal)
  return { ...done, isNew: true }
}

/**
 * Whether the bucket has the archive. An archive without sidecar (of a killed upload) and an archive that is too short are replaced.
 * @throws AppError `backup_exists` if the bucket has a different archive of this name
 */
async function hasObject(
  bucket: Bucket,
  {
    key,
    bytes,
    sha256,
    signal,
  }: Pick<ListedBackup, 'bytes' | 'sha256'> & { key: string; signal?: AbortSignal | undefined },
): Promise<boolean> {
  const object = await bucket.storage.head(key, signal)
  const sidecar = object === undefined ? undefined : await readSidecar(bucket, key, signal)
  if (sidecar === undefined) return false
  if (sidecar.sha256 === sha256) return object?.bytes === bytes
  throw backupErrors.backup_exists({
    message: `${bucket.locationOf(key)} is another archive, with SHA-256 ${sidecar.sha256} instead of ${sha256}`,
  })
}

type Content = Pick<UploadInput, 'signal' | 'onPart'> & { file: FileHandle; key: string; bytes: number; sha256: string }

/** @returns the etag that the object has if the server computes etags by MD5 */
async function sendContent({ storage, cleanupMilliseconds }: Bucket, content: Content): Promise<string> {
  const { file, key, bytes, sha256, signal, onPart } = content
  const partBytes = computePartBytes(bytes)
  if (bytes <= partBytes) {
    const whole = await readBytes(file, 0, bytes)
    requireSame(createHash('sha256').update(whole).digest('hex'), sha256)
    await storage.put(key, whole, signal)
    onPart?.({ bytes, total: bytes })
    return md5Of(whole).toString('hex')
  }
  const uploadId = await storage.startUpload(key, signal)
  try {
    const hash = createHash('sha256')
    const parts: UploadedPart[] = []
    const sums: Buffer[] = []
    for (let position = 0; position < bytes; position += partBytes) {
      const part = await readBytes(file, position, Math.min(partBytes, bytes - position))
      hash.update(part)
      sums.push(md5Of(part))
      parts.push(await storage.putPart(key, { uploadId, number: parts.length + 1, content: part, signal }))
      onPart?.({ bytes: position + part.length, total: bytes })
    }
    requireSame(hash.digest('hex'), sha256)
    await complete({ storage }, { key, uploadId, parts, signal })
    return `${md5Of(Buffer.concat(sums)).toString('hex')}-${parts.length}`
  } catch (error) {
    // The upload is ended even after an abort, so it needs another signal. Otherwise its parts stay stored, and are billed, until they are
    // removed.
    await storage.abortUpload(key, uploadId, AbortSignal.timeout(cleanupMilliseconds)).catch(() => undefined)
    throw error
  }
}

/**
 * If the reply to an earlier attempt did not arrive, the upload no longer exists. The comparison that follows detects whether the object
 * exists.
 */
async function complete(
  { storage }: Pick<Bucket, 'storage'>,
  { key, ...upload }: { key: string; uploadId: string; parts: UploadedPart[]; signal: AbortSignal | undefined },
): Promise<void> {
  try {
    await storage.completeUpload(key, upload)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

function isMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === objectStorageErrors.storage_object_missing.definition.code
  )
}

/** Removes the parts that killed processes have left. Not every account may list them. */
async function abortAbandoned(
  { storage, prefix }: Bucket,
  { clock, log, signal }: Omit<Dependencies, 'config'> & { signal: AbortSignal | undefined },
): Promise<void> {
  const limit = clock.now().getTime() - ABANDONED_MILLISECONDS
  try {
    for (const { key, uploadId, startedAt } of await storage.listUploads(prefix, signal)) {
      if (!isArchiveKey({ prefix }, key) || !(startedAt.getTime() < limit)) continue
      await storage.abortUpload(key, uploadId, signal)
      log.notice({ key }, 'removed an upload that was not finished')
    }
  } catch (error) {
    signal?.throwIfAborted()
    log.warning({ reason: describeError(error) }, 'unfinished uploads of the bucket cannot be listed or removed')
  }
}

function requireSame(found: string, expected: string): void {
  if (found !== expected) {
    throw backupErrors.backup_damaged({ message: 'The backup is damaged: it was changed while it was uploaded' })
  }
}

function md5Of(content: Uint8Array): Buffer {
  return createHash('md5').update(content).digest()
}
