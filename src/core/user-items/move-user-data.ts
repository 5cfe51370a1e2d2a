import type { Connection } from '../platform/database/index.ts'
import { copyUserData } from './queries.ts'

/**
 * Lets an item take over what all accounts said about another row of the same film, which is about to be removed: after a file was
 * moved, people may have met its new row before a rescan joined it with the old one. The later word, about the new row, counts.
 */
export async function moveUserData(connection: Connection, input: { fromId: string; toId: string }): Promise<void> {
  await copyUserData(connection, input)
}
