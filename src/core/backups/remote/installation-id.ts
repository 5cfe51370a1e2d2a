import { randomUUID } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../platform/config/index.ts'
import { systemErrorCode } from '../../platform/errors/index.ts'
import { changeOwnerToDataOwner, createOwnedFolder, syncFolder } from '../../platform/files/index.ts'
import { backupErrors } from '../errors.ts'

/**
 * Distinguishes the servers that share a bucket. The id is in the file `installation-id` of the data directory and is created at the first
 * use. The id is not part of a backup. A second server that is restored from the backup therefore gets its own id.
 * @throws AppError `backup_installation_id` if the file contains no id; the system error if it cannot be read or made
 */
export async function readOrCreateInstallationId({ dataDirectory }: Pick<Config, 'dataDirectory'>): Promise<string> {
  const path = join(dataDirectory, 'installation-id')
  const text = (await readText(path)) ?? (await makeId(dataDirectory, path))
  const id = text.trim()
  if (/^[0-9a-f-]{36}$/.test(id)) return id
  throw backupErrors.backup_installation_id({ message: `${path} contains no valid id`, hint: `Remove ${path}.` })
}

/** Writes the id to a temporary file and then links it to its name, so that a concurrent process never reads a partial id. */
async function makeId(dataDirectory: string, path: string): Promise<string> {
  // Under root the embedded engine runs as another account, which must be able to traverse the data directory.
  createOwnedFolder(dataDirectory, dataDirectory, 0o711)
  const draft = join(dataDirectory, `.installation-id-${randomUUID()}`)
  try {
    await writeFile(draft, `${randomUUID()}\n`, { mode: 0o600, flag: 'wx', flush: true })
    changeOwnerToDataOwner(dataDirectory, draft)
    await link(draft, path).catch((error: unknown) => {
      if (systemErrorCode(error) !== 'EEXIST') throw error
    })
    syncFolder(dataDirectory)
  } finally {
    await rm(draft, { force: true })
  }
  return readFile(path, 'utf8')
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error
    return undefined
  }
}
