import type { Connection } from '../platform/database/index.ts'
import { deleteKeptExtras } from './queries.ts'

/** Invalidates the cached extras of a library, after a scan or a request to providers. */
export async function forgetExtras({ db }: { db: Connection }, { libraryId }: { libraryId: string }): Promise<void> {
  await deleteKeptExtras(db, libraryId)
}
