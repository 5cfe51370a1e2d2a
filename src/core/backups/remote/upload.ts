import { createHash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import { describeError } from '../../platform/errors/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import { objectStorageErrors, type UploadedPart } from '../../platform/object-storage/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { backupErrors } from '../errors.ts'
import { readBytes } from '../archive/read-bytes.ts'
import { SIDECAR_SUFFIX } from '../folder/backup-file.ts'
import type { ListedBackup } from '../folder/list-backups.ts'
import type { Bucket } from './bucket.ts'
import { isArchiveKey, listBucketNames } from './list-bucket.ts'
import { partBytesOf } from './part-size.ts'
import { verifyObject } from './verify-object.ts'

type Dependencies = { clock: Clock; log: Logger }

export type UploadInput = {
  /** A valid backup of a folder. */
  backup: ListedBackup
  signal?: AbortSignal | undefined
  onPart?: ((done: { bytes: number; total: number }) => void) | undefined
}

/** `isNew`: false if the bucket had it already. */
export type Upload = { location: string; bytes: number; sha256: string; isNew: boolean }

/** An open upload is taken for one of a killed process after a day. */
const ABANDONED_MILLISECONDS = 86_400_000

/**
 * Copies an archive into the bucket, in parts, one of which is in memory at a time. The object appears when it is complete. Its size and
 * checksum are compared afterwards; then an object with its description follows, without which it does not count as a backup.
 * @throws AppError `storage_…`, `backup_damaged`; the parts are removed then
 */
export async function uploadBackup(
  bucket: Bucket,
  { clock, log }: Dependencies,
  { backup, signal, onPart }: UploadInput,
): Promise<Upload> {
  const { name, bytes, sha256, header } = backup
  if (backup.state !== 'valid' || header === null) {
    throw backupErrors.backup_damaged({ message: `${name} is not uploaded: ${backup.problem ?? backup.state}` })
  }
  const key = `${bucket.prefix}${name}`
  const done = { location: bucket.locationOf(key), bytes, sha256 }
  if ((await listBucketNames(bucket, signal)).get(name) === bytes) return { ...done, isNew: false }
  await abortAbandoned(bucket, { clock, log, signal })
  const file = await open(backup.path, 'r')
  let etag: string
  try {
    etag = await sendContent(bucket, { file, key, bytes, sha256, signal, onPart })
  } finally {
    await file.close()
  }
  await verifyObject(bucket.storage, { key, bytes, sha256, etag, signal })
  const sidecar = Buffer.from(`${JSON.stringify({ header, bytes, sha256 }, null, 1)}\n`)
  await bucket.storage.put(`${key}${SIDECAR_SUFFIX}`, sidecar, signal)
  return { ...done, isNew: true }
}

type Content = Pick<UploadInput, 'signal' | 'onPart'> & { file: FileHandle; key: string; bytes: number; sha256: string }

/** @returns the etag that the object has if the server computes etags by MD5 */
async function sendContent({ storage }: Bucket, content: Content): Promise<string> {
  const { file, key, bytes, sha256, signal, onPart } = content
  const partBytes = partBytesOf(bytes)
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
    // Also after an abort, with a signal of its own: the parts would be stored, and paid for, until someone removes them.
    await storage.abortUpload(key, uploadId).catch(() => undefined)
    throw error
  }
}

/** The upload is missing after an attempt whose reply was lost: the comparison that follows tells whether the object is there. */
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
  { clock, log, signal }: Dependencies & { signal: AbortSignal | undefined },
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
