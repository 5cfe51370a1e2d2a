import type { Connection } from '../platform/database/index.ts'
import type { RootIdentity, LibraryRoot } from './library.ts'
import { selectFolders, selectRoots, updateRootIdentity } from './queries.ts'

/** The folders of a library, in their order. */
export async function listLibraryRoots({ db }: { db: Connection }, libraryId: string): Promise<LibraryRoot[]> {
  return selectRoots(db, libraryId)
}

/** The folders of all libraries; none is inside another one. */
export async function listFolders({ db }: { db: Connection }): Promise<readonly string[]> {
  return (await selectFolders(db)).map(({ path }) => path)
}

/** Stores the identity of a folder for the mount check of the next scan. */
export async function storeRootIdentity(
  { db }: { db: Connection },
  input: { libraryId: string; path: string; identity: RootIdentity },
): Promise<void> {
  await updateRootIdentity(db, input)
}
