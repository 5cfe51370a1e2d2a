import { openItemFile, type MediaItem } from '../../catalogue/index.ts'
import type { GetLibraryPaths } from '../../libraries/index.ts'
import { streamingErrors } from '../errors.ts'

/** The current file of an item. `modifiedAtNanoseconds` is a decimal string, because JSON numbers lack the precision. */
export type SourceFile = {
  path: string
  /** The library folder that contains the file. */
  root: string
  sizeBytes: number
  modifiedAtNanoseconds: string
}

/**
 * Finds the file of an item and verifies that it can be opened and lies inside its library.
 * @throws AppError `not_transcodable` for an item without a file, `library_not_found`, and the errors of opening a file
 */
export async function findSourceFile(
  services: { getLibraryPaths: GetLibraryPaths },
  { path, libraryId }: Pick<MediaItem, 'path' | 'libraryId'>,
): Promise<SourceFile> {
  if (path === null) throw streamingErrors.not_transcodable({ message: 'the item has no file' })
  const { handle, root } = await openItemFile(services, { path, libraryId })
  await using file = handle
  const { size, mtimeNs } = await file.stat({ bigint: true })
  return { path, root, sizeBytes: Number(size), modifiedAtNanoseconds: mtimeNs.toString() }
}
