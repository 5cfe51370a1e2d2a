import type { Connection } from '../platform/database/index.ts'
import { deleteEmptyAlbums, transferTrack } from './queries/write.ts'

/** Deletes the albums and artists of a library that no longer have a track. Reads the albums of the library once. */
export async function removeEmptyAlbums(connection: Connection, { libraryId }: { libraryId: string }): Promise<void> {
  await deleteEmptyAlbums(connection, libraryId)
}

/**
 * Moves the track data of an item to another item that is the same track, before the first item is deleted. Does nothing if there is no
 * track.
 */
export async function moveTrack(connection: Connection, move: { fromId: string; toId: string }): Promise<void> {
  await transferTrack(connection, move)
}
