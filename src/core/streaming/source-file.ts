import { openItemFile, type MediaItem } from '../catalogue/index.ts'
import type { Database } from '../platform/database/index.ts'
import { streamingErrors } from './errors.ts'

/**
 * The file of an item as it is now; `modifiedAtNanoseconds` in decimal digits, since JSON has no such large numbers.
 */
export type SourceFile = {
  path: string
  /** The library folder that it lies in. */
  root: string
  sizeBytes: number
  modifiedAtNanoseconds: string
}

/**
 * Finds the file of an item and makes sure that it can be opened and lies inside its library.
 * @throws AppError `not_transcodable` for an item without file, `library_not_found`, those of opening a file
 */
export async function findSourceFile(
  { db }: { db: Database },
  { path, libraryId }: Pick<MediaItem, 'path' | 'libraryId'>,
): Promise<SourceFile> {
  if (path === null) throw streamingErrors.not_transcodable({ message: 'the item has no file' })
  const { handle, root } = await openItemFile({ db }, { path, libraryId })
  await using file = handle
  const { size, mtimeNs } = await file.stat({ bigint: true })
  return { path, root, sizeBytes: Number(size), modifiedAtNanoseconds: mtimeNs.toString() }
}
