import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../../platform/config/index.ts'
import { AppError, describeError, systemErrorCode } from '../../platform/errors/index.ts'
import { parseJson } from '../../platform/json/index.ts'
import { isEncryptedFile } from '../archive/encryption.ts'
import { ArchiveHeaderSchema, type ArchiveHeader, type ArchiveManifest } from '../archive/format.ts'
import { checkParts, openArchive } from '../archive/read-archive.ts'
import { backupErrors } from '../errors.ts'
import { requireKnownSchema } from '../load/load-archive.ts'
import { backupFolder, isBackupName, SIDECAR_SUFFIX } from './backup-file.ts'

/** `unchecked`: encrypted, and the file with its checksum is missing. */
export type BackupState = 'valid' | 'damaged' | 'newer' | 'unchecked'

/** A file of a folder of backups, or an object of the bucket. */
export type ListedBackup = {
  /** The file name for an archive without a readable header. */
  id: string
  name: string
  /** `s3://BUCKET/KEY` for an object. */
  path: string
  /** Whether it is an object of the bucket, or a file of which the bucket has a copy. */
  isInBucket: boolean
  bytes: number
  /** SHA-256 of the file; empty if it cannot be read. */
  sha256: string
  state: BackupState
  /** What is wrong with the backup; null for a valid backup. */
  problem: string | null
  isEncrypted: boolean
  createdAt: Date
  label: string | null
  schemaVersion: number | null
  phlixVersion: string | null
  /** Rows of all tables. */
  rows: number | null
  /** Null if it cannot be read. */
  header: ArchiveHeader | null
}

type Folder = { config: Pick<Config, 'dataDirectory'>; folder?: string | undefined; signal?: AbortSignal | undefined }

/** The content of the sidecar file of an encrypted archive, and of each object in the bucket. */
export const Sidecar = z.object({
  header: ArchiveHeaderSchema,
  bytes: z.number(),
  sha256: z.string(),
  /** Id of the installation that uploaded the backup; only in sidecars in a bucket. */
  installation_id: z.string().optional(),
})

/**
 * The archives of a folder, newest first. Every byte of each archive is read, so that damaged and unreadable archives are marked.
 * @returns an empty list for a folder that does not exist
 */
export async function listBackups({ config, folder = backupFolder(config), signal }: Folder): Promise<ListedBackup[]> {
  let names: string[]
  try {
    names = await readdir(folder)
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return []
    throw error
  }
  const backups: ListedBackup[] = []
  for (const name of names.filter(isBackupName)) {
    signal?.throwIfAborted()
    const path = join(folder, name)
    try {
      backups.push(await describeBackup(path, name))
    } catch (error) {
      const unreadable = await describeUnreadable({ name, path, problem: describeError(error) })
      if (unreadable !== undefined) backups.push(unreadable)
    }
  }
  return backups.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.name < b.name ? -1 : 1))
}

/** @throws AppError `backup_not_found` */
export async function findBackup({ id, ...input }: Folder & { id: string }): Promise<ListedBackup> {
  const match = (await listBackups(input)).find((backup) => backup.id === id || backup.name === id)
  if (match === undefined) throw backupErrors.backup_not_found()
  return match
}

/** Reads every byte of one archive. @throws AppError `backup_not_found`, `backup_damaged`; the system error if it cannot be read */
export async function describeBackup(path: string, name: string): Promise<ListedBackup> {
  const facts = await stat(path).catch((error: unknown) => {
    if (systemErrorCode(error) !== 'ENOENT') throw error
    throw backupErrors.backup_not_found({ message: `There is no file ${path}` })
  })
  // The open of a pipe would wait for a writer.
  if (!facts.isFile()) throw backupErrors.backup_damaged({ message: 'It is not a regular file' })
  const file = { name, path, isInBucket: false, bytes: facts.size, sha256: await hashFile(path) }
  const isEncrypted = await isEncryptedFile(path)
  const read = isEncrypted ? await readSidecar(path, file.sha256) : await readPlain(path)
  const { header, state, problem } = read
  return {
    ...file,
    id: header?.id ?? name,
    state,
    problem,
    isEncrypted,
    createdAt: header === undefined ? facts.mtime : new Date(header.created_at),
    ...headerColumns(header),
    rows: read.manifest?.tables.reduce((sum, { rows }) => sum + rows, 0) ?? null,
  }
}

/** Describes an entry that cannot be read, for example a folder. @returns undefined if a concurrent prune has removed the entry */
async function describeUnreadable({ name, path, problem }: Pick<ListedBackup, 'name' | 'path'> & { problem: string }) {
  const facts = await lstat(path).catch(() => undefined)
  if (facts === undefined) return undefined
  const unreadable: ListedBackup = {
    id: name,
    name,
    path,
    isInBucket: false,
    bytes: facts.size,
    sha256: '',
    state: 'damaged',
    problem,
    isEncrypted: false,
    createdAt: facts.mtime,
    ...headerColumns(undefined),
    rows: null,
  }
  return unreadable
}

/** What a list shows of a header. */
export function headerColumns(header: ArchiveHeader | undefined) {
  return {
    label: header?.label ?? null,
    schemaVersion: header?.schema_version ?? null,
    phlixVersion: header?.phlix_version ?? null,
    header: header ?? null,
  }
}

type Reading = {
  state: BackupState
  problem: string | null
  header?: ArchiveHeader | undefined
  manifest?: ArchiveManifest | undefined
}

async function readPlain(path: string): Promise<Reading> {
  let opened: Pick<Reading, 'header' | 'manifest'> = {}
  try {
    const archive = await openArchive(path)
    try {
      opened = { header: archive.header, manifest: archive.manifest }
      requireKnownSchema(archive)
      await checkParts(archive)
      return { ...opened, state: 'valid', problem: null }
    } finally {
      await archive.close()
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const isNewer = error.code === backupErrors.backup_too_new.definition.code
    return { ...opened, state: isNewer ? 'newer' : 'damaged', problem: describeError(error) }
  }
}

async function readSidecar(path: string, sha256: string): Promise<Reading> {
  try {
    const parsed = Sidecar.safeParse(parseJson(await readFile(`${path}${SIDECAR_SUFFIX}`)))
    if (!parsed.success) return { state: 'unchecked', problem: 'The sidecar with the checksum is not valid' }
    const { header } = parsed.data
    if (parsed.data.sha256 !== sha256)
      return { header, state: 'damaged', problem: 'The backup is damaged: its content does not match its checksum' }
    return { header, state: 'valid', problem: null }
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error
    return { state: 'unchecked', problem: 'The sidecar with the checksum is missing' }
  }
}

/** SHA-256 in hexadecimal digits. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
