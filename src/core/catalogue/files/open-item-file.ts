import type { FileHandle } from 'node:fs/promises'
import type { GetLibraryPaths } from '../../libraries/index.ts'
import { fileErrors, openInsideRoot } from '../../platform/files/index.ts'
import type { MediaItem } from '../item/media-item.ts'

export type OpenItemFile = {
  /** The caller closes it. */
  handle: FileHandle
  path: string
  /** The library folder that contains the file. */
  root: string
}

/**
 * Opens the file of an item, after proof that it lies inside one of the folders of its library.
 * @throws AppError `file_not_found` (also for an item without file), `path_outside_root`, `library_not_found`, and the errors of opening
 */
export async function openItemFile(
  { getLibraryPaths }: { getLibraryPaths: GetLibraryPaths },
  { path, libraryId }: Pick<MediaItem, 'path' | 'libraryId'>,
): Promise<OpenItemFile> {
  if (path === null) throw fileErrors.file_not_found()
  const paths = await getLibraryPaths(libraryId)
  const root = paths.find((folder) => path.startsWith(folder.endsWith('/') ? folder : `${folder}/`))
  if (root === undefined) throw fileErrors.path_outside_root()
  return { handle: await openInsideRoot(root, path), path, root }
}
