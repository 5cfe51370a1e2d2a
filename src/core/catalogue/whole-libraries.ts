import type { Connection } from '../platform/database/index.ts'
import type { ProbedFile } from '../probing/index.ts'
import { replaceStreams } from './queries/write.ts'
import {
  countUnreadFiles,
  deleteLibraryItems,
  selectLibraryFiles,
  updateFileFacts,
  type LibraryFile,
} from './queries/whole-libraries.ts'
import { storableJson } from './storable.ts'
import type { StreamWrite } from './write-items.ts'

export type { LibraryFile } from './queries/whole-libraries.ts'

type PageOfFiles = { libraryId: string; afterId: string | null; limit: number }

/** A page of the files of a library, by id, missing ones too. */
export async function listLibraryFiles(connection: Connection, page: PageOfFiles): Promise<LibraryFile[]> {
  return selectLibraryFiles(connection, { ...page, isUnreadOnly: false })
}

/**
 * A page of the present files that nobody has looked into: films, videos and episodes without source profile, and sound of unknown
 * length. Photos and books have none (document 1, job semantics 2).
 */
export async function listUnreadFiles(connection: Connection, page: PageOfFiles): Promise<LibraryFile[]> {
  return selectLibraryFiles(connection, { ...page, isUnreadOnly: true })
}

/** How many those are in all. */
export async function countUnread(connection: Connection, libraryId: string): Promise<number> {
  return countUnreadFiles(connection, libraryId)
}

/**
 * Writes what is inside a file to an item that has never been read; name, place and everything else stay.
 * @returns false when somebody else has done so meanwhile
 */
export async function fillFileFacts(
  connection: Connection,
  { itemId, file, streams, now }: { itemId: string; file: ProbedFile; streams: StreamWrite[]; now: Date },
): Promise<boolean> {
  const { durationSeconds, container, bitrate, chapters, source } = file
  const isFilled = await updateFileFacts(connection, {
    id: itemId,
    durationSeconds,
    container,
    bitrate,
    chapters: storableJson(chapters),
    source: storableJson(source === null ? {} : { source }),
    now,
  })
  if (isFilled) await replaceStreams(connection, [{ itemId, streams }])
  return isFilled
}

/** Removes some items of a library with all that is said about them, whatever their files; answers how many. No file is touched. */
export async function removeSomeItems(
  connection: Connection,
  input: { libraryId: string; limit: number },
): Promise<number> {
  return deleteLibraryItems(connection, input)
}
