import type { Connection } from '../platform/database/index.ts'
import { deleteEmptyAlbums, handOverTrack } from './queries/write.ts'

/** Removes the albums and artists of a library that have no track any more. Reads the library's albums once. */
export async function removeEmptyAlbums(connection: Connection, { libraryId }: { libraryId: string }): Promise<void> {
  await deleteEmptyAlbums(connection, libraryId)
}

/** Lets an item be the track that another one was found to be; that one is about to be removed. No track: nothing happens. */
export async function moveTrack(connection: Connection, move: { fromId: string; toId: string }): Promise<void> {
  await handOverTrack(connection, move)
}
