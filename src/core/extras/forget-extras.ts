import type { Connection } from '../platform/database/index.ts'
import { deleteKeptExtras } from './queries.ts'

/** What was put together of a library's extras is no longer good: a scan has looked, or providers were asked. */
export async function forgetExtras({ db }: { db: Connection }, { libraryId }: { libraryId: string }): Promise<void> {
  await deleteKeptExtras(db, libraryId)
}
