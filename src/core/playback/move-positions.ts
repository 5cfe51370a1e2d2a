import type { Connection } from '../platform/database/index.ts'
import {
  lockMovedItems,
  movePlayRecords,
  movePlaybackStates,
  selectPlayedVersions,
} from './queries/move-playback-data.ts'

/**
 * Moves playback positions and counted plays from `fromId` to `toId`. Both are rows of the same film. The first row is about to be deleted, or
 * has become a version of the second.
 * After a file was moved, someone may have played its new row before a rescan merged the old and the new row.
 * @param connection a transaction
 */
export async function movePositions(connection: Connection, move: { fromId: string; toId: string }): Promise<void> {
  await lockMovedItems(connection, move)
  await movePlaybackStates(connection, move)
  await movePlayRecords(connection, move)
}

/** Returns the versions that were played while they were separate films: `fromId` is the version, `toId` its film. */
export async function listPlayedVersions(
  connection: Connection,
  { libraryId }: { libraryId: string },
): Promise<readonly { fromId: string; toId: string }[]> {
  return selectPlayedVersions(connection, libraryId)
}
