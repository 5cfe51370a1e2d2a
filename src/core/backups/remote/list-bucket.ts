import type { z } from 'zod'
import { parseJson } from '../../platform/json/index.ts'
import type { StoredObject } from '../../platform/object-storage/index.ts'
import { AppError } from '../../platform/errors/index.ts'
import { backupErrors } from '../errors.ts'
import { ENCRYPTED_SUFFIX, isBackupName, SIDECAR_SUFFIX } from '../folder/backup-file.ts'
import { headerColumns, Sidecar, type ListedBackup } from '../folder/list-backups.ts'
import type { Bucket } from './bucket.ts'

const SIDECAR_BYTES = 64 * 1024

/** `installationId`: the installation that uploaded the backup; undefined if it is not known. */
export type BucketBackup = ListedBackup & { installationId: string | undefined }

/**
 * The backups of the bucket, newest first. Contents are not read: `valid` means that the upload was complete and verified, and that the
 * size is still the same.
 * @throws AppError `storage_…`
 */
export async function listBucket(bucket: Bucket, signal?: AbortSignal): Promise<BucketBackup[]> {
  const objects = await bucket.storage.list(bucket.prefix, signal)
  const keys = new Set(objects.map(({ key }) => key))
  const backups: BucketBackup[] = []
  for (const object of objects.filter(({ key }) => isArchiveKey(bucket, key))) {
    const isDescribed = keys.has(`${object.key}${SIDECAR_SUFFIX}`)
    const sidecar = isDescribed ? await readSidecar(bucket, object.key, signal) : undefined
    backups.push(describeObject(bucket, object, sidecar))
  }
  return backups.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.name < b.name ? -1 : 1))
}

/** The names of the archives in the bucket with their sizes: one request for each 1,000. */
export async function listBucketNames(bucket: Bucket, signal?: AbortSignal): Promise<Map<string, number>> {
  const objects = await bucket.storage.list(bucket.prefix, signal)
  const keys = new Set(objects.map(({ key }) => key))
  const complete = objects.filter(({ key }) => keys.has(`${key}${SIDECAR_SUFFIX}`))
  return new Map(complete.map(({ key, bytes }) => [key.slice(bucket.prefix.length), bytes]))
}

/** @throws AppError `backup_not_found`, `storage_…` */
export async function findInBucket(bucket: Bucket, id: string, signal?: AbortSignal): Promise<ListedBackup> {
  const match = (await listBucket(bucket, signal)).find((backup) => backup.id === id || backup.name === id)
  if (match === undefined) throw backupErrors.backup_not_found({ message: `The bucket has no backup ${id}` })
  return match
}

/** Names come from another server and become file names, so a name with a slash is not accepted. */
export function isArchiveKey({ prefix }: Pick<Bucket, 'prefix'>, key: string): boolean {
  const name = key.slice(prefix.length)
  return key.startsWith(prefix) && /^[A-Za-z0-9._-]{1,200}$/.test(name) && isBackupName(name)
}

type SidecarContent = z.infer<typeof Sidecar>

/** The sidecar of an archive; undefined if there is none or if it is not valid. @throws AppError `storage_…` */
export async function readSidecar(
  { storage }: Bucket,
  key: string,
  signal: AbortSignal | undefined,
): Promise<SidecarContent | undefined> {
  try {
    const content = await storage.get(`${key}${SIDECAR_SUFFIX}`, { maximumBytes: SIDECAR_BYTES, signal })
    return Sidecar.safeParse(parseJson(Buffer.from(content))).data
  } catch (error) {
    // The sidecar was removed meanwhile, or is not JSON.
    if (error instanceof AppError && error.kind !== 'not_found') throw error
    return undefined
  }
}

function describeObject(
  { prefix, locationOf }: Bucket,
  { key, bytes, modifiedAt }: StoredObject,
  sidecar: SidecarContent | undefined,
): BucketBackup {
  const name = key.slice(prefix.length)
  const isWhole = sidecar?.bytes === bytes
  return {
    id: sidecar?.header.id ?? name,
    name,
    path: locationOf(key),
    isInBucket: true,
    bytes,
    sha256: sidecar?.sha256 ?? '',
    state: sidecar === undefined ? 'unchecked' : isWhole ? 'valid' : 'damaged',
    problem:
      sidecar === undefined
        ? 'The object with its checksum is missing: its upload was not finished'
        : isWhole
          ? null
          : `It has ${bytes} bytes instead of ${sidecar.bytes}`,
    isEncrypted: name.endsWith(ENCRYPTED_SUFFIX),
    createdAt: sidecar === undefined ? modifiedAt : new Date(sidecar.header.created_at),
    ...headerColumns(sidecar?.header),
    rows: null,
    installationId: sidecar?.installation_id,
  }
}
