import type { Connection } from '../../platform/database/index.ts'
import { selectFileStamps, type FileStamp } from '../queries/files.ts'

export type { FileStamp } from '../queries/files.ts'

/** The versions of the files of items, by id, as the last scan found them; items without a file are missing. The ids are UUIDs. */
export function findFileStamps(
  { db }: { db: Connection },
  ids: readonly string[],
): Promise<ReadonlyMap<string, FileStamp>> {
  return selectFileStamps(db, ids)
}
