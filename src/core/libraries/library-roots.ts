import type { Connection } from '../platform/database/index.ts'
import { selectFolders, selectRoots, updateRootIdentity } from './queries.ts'

/** What tells one mounted folder from another: 64-bit numbers as text. */
export type RootIdentity = { device: string; inode: string }

/** A folder of a library, and what it was when it was last scanned well; null before that. */
export type LibraryRoot = { path: string; identity: RootIdentity | null }

/** The folders of a library in their order. */
export async function listLibraryRoots({ db }: { db: Connection }, libraryId: string): Promise<LibraryRoot[]> {
  return selectRoots(db, libraryId)
}

/** The folders of all libraries; none lies in another one. */
export async function listFolders({ db }: { db: Connection }): Promise<readonly string[]> {
  return (await selectFolders(db)).map(({ path }) => path)
}

/** Remembers what a folder is now, for the root guard of the next scan (decisions 3.5). */
export async function rememberRootIdentity(
  { db }: { db: Connection },
  input: { libraryId: string; path: string; identity: RootIdentity },
): Promise<void> {
  await updateRootIdentity(db, input)
}
