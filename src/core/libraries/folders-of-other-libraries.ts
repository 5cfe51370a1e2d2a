import type { Connection, Database } from '../platform/database/index.ts'
import { resolveTarget, type DiskThreads } from '../platform/files/index.ts'
import { resolveRealPath } from './check-path.ts'
import { libraryErrors } from './errors.ts'
import type { LibraryType } from './library.ts'
import { lockLibraryFolders, selectAllLibraryFolders } from './queries.ts'

/**
 * The kind of files that each library type reads. Libraries that read different kinds may share a folder: books and audiobooks of one
 * author are often in the same folder.
 */
const MEDIA_KIND_OF_TYPE: Readonly<Record<LibraryType, 'video' | 'audio' | 'photo' | 'book'>> = {
  movie: 'video',
  series: 'video',
  video: 'video',
  music: 'audio',
  audiobook: 'audio',
  photo: 'photo',
  book: 'book',
}

/** A folder with its real path. */
type Folder = { path: string; real: string }

/** New folders of a library, and the real paths of the folders of other libraries, by path. */
export type ResolvedFolders = { folders: readonly Folder[]; others: ReadonlyMap<string, string> }

type Wanted = { libraryId?: string; type: LibraryType }

/**
 * Resolves symbolic links in the paths of the folders and of the folders of other libraries. Called before the transaction, because a disk
 * may be slow. A folder of another library that does not answer within 2 s is not resolved.
 */
export async function resolveLibraryFolders(
  { db, diskThreads }: { db: Database; diskThreads: DiskThreads },
  { paths, ...wanted }: Wanted & { paths: readonly string[] },
): Promise<ResolvedFolders> {
  const folders = await Promise.all(paths.map(async (path) => ({ path, real: await resolveRealPath(path) })))
  const others = new Map<string, string>()
  if (paths.length === 0) return { folders, others }
  // Sequentially, so that one thread is enough as long as the disks answer.
  for (const { path } of await otherFolders(db, wanted)) others.set(path, await resolveTarget({ diskThreads }, path))
  return { folders, others }
}

/**
 * Refuses a folder of which another library reads the same kind of files, because each file would appear twice in lists and searches.
 * Symbolic links are compared by their target. Called within the transaction that writes the folders.
 * @param input.libraryId the library of the folders; undefined for a new library
 * @throws AppError `folder_taken` with the other library
 */
export async function refuseFoldersOfOtherLibraries(
  connection: Connection,
  { folders, others, ...wanted }: Wanted & ResolvedFolders,
): Promise<void> {
  await lockLibraryFolders(connection)
  const candidates = await otherFolders(connection, wanted)
  for (const { path, real } of folders) {
    const taken = candidates.find((other) => other.path === path || [other.path, others.get(other.path)].includes(real))
    if (taken === undefined) continue
    throw libraryErrors.folder_taken({
      message: `${path} is a folder of the library "${taken.name}" already`,
      details: { path, library_id: taken.libraryId, library_name: taken.name },
    })
  }
}

/** Folders of other libraries that read the same kind of files. */
async function otherFolders(
  connection: Connection,
  { libraryId, type }: Wanted,
): Promise<Awaited<ReturnType<typeof selectAllLibraryFolders>>> {
  const all = await selectAllLibraryFolders(connection)
  return all.filter(
    (folder) => folder.libraryId !== libraryId && MEDIA_KIND_OF_TYPE[folder.type] === MEDIA_KIND_OF_TYPE[type],
  )
}
