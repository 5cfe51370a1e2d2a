import type { Connection } from '../platform/database/index.ts'
import { copyUserData } from './queries.ts'

/**
 * Moves the user data of all accounts from another row of the same film to an item, before that row is deleted. After a file was moved,
 * people may have used its new row before a rescan joined the two. The later data, on the new row, has priority.
 */
export async function moveUserData(connection: Connection, input: { fromId: string; toId: string }): Promise<void> {
  await copyUserData(connection, input)
}
