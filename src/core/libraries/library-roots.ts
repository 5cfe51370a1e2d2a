import type { Connection } from '../platform/database/index.ts'
import type { RootIdentity, LibraryRoot } from './library.ts'
import { selectAllLibraryFolders, selectLibraryRoots, updateRootIdentity } from './queries.ts'

/** The folders of a library, in their order. */
export async function listLibraryRoots({ db }: { db: Connection }, libraryId: string): Promise<LibraryRoot[]> {
  return selectLibraryRoots(db, libraryId)
}

/** The folders of all libraries; none is inside another one. */
export async function listAllLibraryFolders({ db }: { db: Connection }): Promise<readonly string[]> {
  return (await selectAllLibraryFolders(db)).map(({ path }) => path)
}

/** Stores the identity of a folder for the mount check of the next scan. */
export async function storeRootIdentity(
  { db }: { db: Connection },
  input: { libraryId: string; path: string; identity: RootIdentity },
): Promise<void> {
  await updateRootIdentity(db, input)
}
