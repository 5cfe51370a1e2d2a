import { randomBytes } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../platform/config/index.ts'
import { systemErrorCode } from '../../platform/errors/index.ts'
import { createOwnedFolder } from '../../platform/files/index.ts'
import { processInstanceId } from '../../platform/spawn/index.ts'
import { decryptFile, isEncryptedFile } from '../archive/encryption.ts'
import { openArchive, type Archive } from '../archive/read-archive.ts'
import { removeLeftovers } from '../scratch/leftovers.ts'
import { requireSpace } from '../space/require-space.ts'
import { backupErrors } from '../errors.ts'
import { backupFolder, PARTIAL_PREFIX } from '../folder/backup-file.ts'

type Input = {
  config: Pick<Config, 'dataDirectory' | 'options'>
  path: string
  passphrase?: string | undefined
  signal?: AbortSignal | undefined
}

/**
 * Opens an archive, runs the work and closes it. An encrypted one is decrypted into a temporary file of the folder of backups.
 * @throws AppError `backup_passphrase`, `backup_not_found`, `backup_damaged`, `backup_too_new`, `backup_no_space`
 */
export async function withArchive<Result>(
  { config, path, passphrase, signal }: Input,
  work: (archive: Archive) => Promise<Result>,
): Promise<Result> {
  if (!(await isEncrypted(path))) return withOpenArchive(path, work)
  if (passphrase === undefined) {
    throw backupErrors.backup_passphrase({
      hint: 'Give --passphrase-file FILE, or --passphrase-file - for standard input.',
    })
  }
  const folder = backupFolder(config)
  createOwnedFolder(config.dataDirectory, folder, 0o700)
  await removeLeftovers(config)
  const floorBytes = config.options['hls.min_disk_space_bytes']
  await requireSpace(folder, { bytes: (await stat(path)).size, floorBytes })
  const target = join(folder, `${PARTIAL_PREFIX}${processInstanceId()}-${randomBytes(6).toString('hex')}`)
  try {
    await decryptFile(path, { target, passphrase, signal })
    return await withOpenArchive(target, work)
  } finally {
    await rm(target, { force: true })
  }
}

async function withOpenArchive<Result>(path: string, work: (archive: Archive) => Promise<Result>): Promise<Result> {
  const archive = await openArchive(path)
  try {
    return await work(archive)
  } finally {
    await archive.close()
  }
}

async function isEncrypted(path: string): Promise<boolean> {
  try {
    return await isEncryptedFile(path)
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error
    throw backupErrors.backup_not_found({ message: `There is no file ${path}`, cause: error })
  }
}
