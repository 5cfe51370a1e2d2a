import type { Connection } from '../platform/database/index.ts'
import { lockMovedItems, moveRecords, moveStates, selectPlayedVersions } from './queries/moves.ts'

/**
 * Moves positions and plays of another row of the same film to an item, when that row is about to be deleted or has become a version.
 * After a file was moved, people may have played its new row before a rescan joined the two.
 * @param connection a transaction
 */
export async function movePositions(connection: Connection, move: { fromId: string; toId: string }): Promise<void> {
  await lockMovedItems(connection, move)
  await moveStates(connection, move)
  await moveRecords(connection, move)
}

/** Versions that were played as separate films, with the films that they belong to now. */
export async function listPlayedVersions(
  connection: Connection,
  { libraryId }: { libraryId: string },
): Promise<readonly { fromId: string; toId: string }[]> {
  return selectPlayedVersions(connection, libraryId)
}
