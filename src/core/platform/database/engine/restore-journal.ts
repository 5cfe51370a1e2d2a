import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { databaseErrors } from '../errors.ts'

/**
 * Name of the file that marks a data directory whose database is being replaced. No server may start there: it would use the old cluster,
 * or create an empty one between two renames.
 */
export const RESTORE_JOURNAL = 'restore.json'

/** @throws AppError `engine_replaced` while the database of the data directory is being replaced */
export function refuseDuringRestore(dataDirectory: string): void {
  if (!existsSync(join(dataDirectory, RESTORE_JOURNAL))) return
  throw databaseErrors.engine_replaced({ hint: 'Try again; the next command finishes an interrupted restore.' })
}
