import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Completes a restore, or an upgrade of the embedded database, that was interrupted while it renamed files.
 * @returns false if there is none, for which no module is loaded
 * @throws AppError as `finishRestore` of the backups does
 */
export async function finishInterruptedRestore(dataDirectory: string): Promise<boolean> {
  if (!existsSync(join(dataDirectory, 'restore.json'))) return false
  const { finishRestore } = await import('../../core/backups/index.ts')
  return finishRestore({ dataDirectory })
}
