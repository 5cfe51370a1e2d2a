import type { Connection } from '../platform/database/index.ts'
import { lockMovedItems, moveRecords, moveStates } from './queries/moves.ts'

/**
 * Lets an item take over places and plays of another row of the same film, which is about to be removed: after a file was moved,
 * people may have played its new row before a rescan joined it with the old one (document 1, rescan, moved files).
 * @param connection a transaction
 */
export async function movePlaces(connection: Connection, move: { fromId: string; toId: string }): Promise<void> {
  await lockMovedItems(connection, move)
  await moveStates(connection, move)
  await moveRecords(connection, move)
}
