import type { Connection } from '../platform/database/index.ts'
import { lockMovedItems, moveRecords, moveStates, selectPlayedVersions } from './queries/moves.ts'

/**
 * Lets an item take over places and plays of another row of the same film, which is about to be removed or is only a version of it now:
 * after a file was moved, people may have played its new row before a rescan joined it with the old one (document 1, rescan, moved
 * files).
 * @param connection a transaction
 */
export async function movePlaces(connection: Connection, move: { fromId: string; toId: string }): Promise<void> {
  await lockMovedItems(connection, move)
  await moveStates(connection, move)
  await moveRecords(connection, move)
}

/** Versions that were played when they were films of their own, with the films that they belong to now. */
export async function listPlayedVersions(
  connection: Connection,
  { libraryId }: { libraryId: string },
): Promise<readonly { fromId: string; toId: string }[]> {
  return selectPlayedVersions(connection, libraryId)
}
