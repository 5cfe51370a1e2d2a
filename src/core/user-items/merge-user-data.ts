import type { Connection } from '../platform/database/index.ts'
import { mergeUserDataRows, selectVersionsWithUserData } from './queries.ts'

type Move = { fromId: string; toId: string }

/**
 * Merges the user data of all accounts from another row of the same film into an item. The other row stays without user data. Nothing is
 * lost.
 */
export async function mergeUserData(connection: Connection, move: Move): Promise<void> {
  await mergeUserDataRows(connection, move)
}

/** Versions with user data from a time when they were separate films, with the films that they belong to now. */
export async function listVersionsWithUserData(
  connection: Connection,
  { libraryId }: { libraryId: string },
): Promise<readonly Move[]> {
  return selectVersionsWithUserData(connection, libraryId)
}
