import type { Connection } from '../platform/database/index.ts'
import { deleteEmptyGroups, lockMergeable, mergeRows } from './queries/moves.ts'

/**
 * Whether a group may take the place of a newer one that its members moved to: it has no present member left, and the other was made
 * no earlier than `since`, when its members were missed. Locks both for the rest of the transaction.
 */
export async function isMergeable(
  connection: Connection,
  input: { keptId: string; newId: string; since: Date },
): Promise<boolean> {
  return lockMergeable(connection, input)
}

/** Lets a group take over key, place, members and pictures of another one, which goes away. Within a transaction. */
export async function mergeGroups(
  connection: Connection,
  input: { keptId: string; newId: string; now: Date },
): Promise<void> {
  await mergeRows(connection, input)
}

/**
 * Removes the groups of a library that nothing belongs to any more, not even something missing, from the lowest up.
 * @returns hashes of the folders that told about them: were those groups made again, the folders would have to tell it again
 */
export async function removeEmptyGroups(connection: Connection, libraryId: string): Promise<Buffer[]> {
  const folderHashes: Buffer[] = []
  for (;;) {
    const removed = await deleteEmptyGroups(connection, libraryId)
    if (removed.count === 0) return folderHashes
    folderHashes.push(...removed.folderHashes)
  }
}
