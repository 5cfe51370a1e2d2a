import type { Connection } from '../../platform/database/index.ts'
import {
  selectLibraryFiles,
  updateFileSeconds,
  type FilePageRequest,
  type LibraryFile,
} from '../queries/library-files.ts'

export type { LibraryFile } from '../queries/library-files.ts'

/** A page of the files of a library, by id, including missing ones. */
export async function listLibraryFiles(connection: Connection, page: FilePageRequest): Promise<LibraryFile[]> {
  return selectLibraryFiles(connection, page)
}

/** Corrects the duration of a file if reading it completely gives another value than its headers. */
export async function correctFileSeconds(
  connection: Connection,
  correction: { itemId: string; seconds: number },
): Promise<void> {
  await updateFileSeconds(connection, correction)
}
