import type { Connection } from '../platform/database/index.ts'
import { deleteCachedExtras } from './queries.ts'

/** Invalidates the cached extras of a library, after a scan or a request to providers. */
export async function invalidateExtras(
  { db }: { db: Connection },
  { libraryId }: { libraryId: string },
): Promise<void> {
  await deleteCachedExtras(db, libraryId)
}
