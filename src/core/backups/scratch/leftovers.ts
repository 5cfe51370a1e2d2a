import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../platform/config/index.ts'
import { AppError, systemErrorCode } from '../../platform/errors/index.ts'
import { isInstanceAlive } from '../../platform/spawn/index.ts'
import { backupFolder, PARTIAL_PREFIX } from '../folder/backup-file.ts'
import { removeAbandonedSides } from './open-scratch.ts'

/**
 * Removes what killed processes have left in the data directory: incomplete archives, decrypted text and side folders. Other backup folders
 * are not touched: they may be shared with other machines, whose processes would be considered dead here. Only archives are written to
 * them.
 */
export async function removeLeftovers(config: Pick<Config, 'dataDirectory'>): Promise<void> {
  const folder = backupFolder(config)
  for (const name of await namesIn(folder)) {
    if (!name.startsWith(PARTIAL_PREFIX) || isInstanceAlive(name.slice(PARTIAL_PREFIX.length))) continue
    await rm(join(folder, name), { force: true })
  }
  try {
    await removeAbandonedSides(config.dataDirectory)
  } catch (error) {
    // A server in a side folder is just ending; the next command removes it.
    if (!(error instanceof AppError)) throw error
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return []
    throw error
  }
}
